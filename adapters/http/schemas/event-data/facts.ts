import Type, { type TProperties, type TSchema } from 'typebox';
import type { DomainEvent } from '../../../../application/event-sourcing/aggregates.ts';
import type { SnakeCase } from '../../../../domain/shared/key-case.ts';
import { MetadataType } from '../source.ts';

/** The data of each event of one aggregate: typed so that no event type can be forgotten. */
export type DataOf<Event extends DomainEvent> = { readonly [T in Event['type']]: TSchema };

/** The fields of each kind, as stored in events: typed so that no kind and no field can be forgotten. */
export type FieldsByKind<Kinds extends { readonly kind: string }> = {
  readonly [Kind in Kinds['kind']]: {
    readonly [
      Field in keyof Extract<Kinds, { readonly kind: Kind }> & string as SnakeCase<Exclude<Field, 'kind'>>
    ]-?: TSchema;
  };
};

/** A union of the kinds, distinguished by `kind`. */
export const ofKinds = <Kinds extends { readonly kind: string }>(fields: FieldsByKind<Kinds>): TSchema =>
  Type.Union(
    Object.entries<TProperties>(fields).map(([kind, properties]) =>
      Type.Object({ kind: Type.Literal(kind), ...properties }),
    ),
  );

export const Millis = Type.Integer({ description: 'Unix milliseconds' });
export const Uuid = Type.String({ format: 'uuid' });
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const Count = Type.Integer({ minimum: 0 });
export const Texts = Type.Array(Type.String());
export const MetadataKey = Type.Object({ key: Type.String(), type: MetadataType });

export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

/** An event, and the time of the decision. */
export const fact = (description: string, properties: TProperties = {}): TSchema =>
  Type.Object({ ...properties, at: Millis }, { description });
