import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** The type of an event that is passed on: its data are as stored. */
export type EventOf<Fields extends TProperties> = Static<TObject<Fields>> & {
  readonly type: string;
  readonly data: object;
};

/**
 * An event with its data, by its type: the union schema, and its member schemas by name. Events that an older or newer
 * program wrote are passed on as stored.
 */
export const oneOfTypes = <Fields extends TProperties>(
  name: string,
  fields: Fields,
  data: Readonly<Record<string, TSchema>>,
): readonly [
  schema: TSchema & { static: EventOf<Fields> },
  components: Readonly<Record<string, TSchema>>,
] => {
  const variants = Object.entries(data).map(([type, schema]): [string, TSchema] => [
    type,
    Type.Object({ ...fields, type: Type.Literal(type), data: schema }),
  ]);
  const mapping = variants.map(([type]) => [type, `#/components/schemas/${name}${type}`]);
  const schema = Type.Unsafe<EventOf<Fields>>({
    description: `One for each type. Hashes of API keys are left out; times in \`data\` are Unix milliseconds`,
    oneOf: variants.map(([, variant]) => variant),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  });
  const components = Object.fromEntries(variants.map(([type, variant]) => [name + type, variant]));
  return [schema as never, components];
};
