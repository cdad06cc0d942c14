import { DomainError } from '../../../domain/shared/domain-error.ts';
import { snakeCase } from '../../../domain/shared/key-case.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Schemas of fields, by the names that the program uses (camel case). */
export interface Properties {
  readonly [name: string]: JsonSchema;
}

/** Schema of an object with exactly these fields, under their API names (snake case). */
export const closed = (properties: Properties, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [snakeCase(name), schema]),
  ),
  ...(required.length > 0 && { required: required.map(snakeCase) }),
  additionalProperties: false,
});

/** Schema of a result: every field is required except the optional ones. */
export const record = (properties: Properties, optional: readonly string[] = []): JsonSchema =>
  closed(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );

export const text = (description: string, limits: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  ...limits,
  description,
});
export const whole = (description: string, limits: JsonSchema = {}): JsonSchema => ({
  type: 'integer',
  ...limits,
  description,
});
export const list = (items: JsonSchema, description: string, limits: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items,
  ...limits,
  description,
});

/** Schema of a UUID. `maxLength` excludes the `urn:uuid:` prefix, which the format alone would allow. */
export const id = (description: string): JsonSchema => text(description, { format: 'uuid', maxLength: 36 });

/** Parameters of a paged list. */
export const PAGE: Properties = {
  limit: whole('Records per page, by default 20', { minimum: 1, maximum: 100 }),
  after: id('`pagination.next_id` of the page before'),
};
export const PAGINATION = record(
  {
    limit: { type: 'integer' },
    hasMore: { type: 'boolean' },
    total: { type: 'integer' },
    nextId: text('Send it as `after` for the next page; absent on the last one'),
  },
  ['nextId'],
);

/** @throws DomainError invalid_request */
export const mustNotBeBlank = (name: string, value: string): void => {
  if (value.trim() === '') throw new DomainError('invalid_request', `${name} must not be blank`);
};
