import Type, { type TProperties } from 'typebox';

/** A body or a query that refuses unknown fields. */
export const closed = <P extends TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** An id for the examples of the document: a caller puts one of its own in its place. */
export const EXAMPLE_ID = '0199d2a0-0000-7000-8000-000000000001';
export const Id = Type.String({ format: 'uuid' });
export const nullable = (schema: object, description: string) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'], description });
export const IdOrNull = (description: string) => nullable({ format: 'uuid' }, description);
export const UnixSeconds = Type.Integer({ description: 'Unix timestamp in seconds' });
export const LastUsedTime = Type.Optional(
  Type.Integer({ description: 'To about a minute; Unix timestamp in seconds. Absent: never' }),
);
/** Of a record with `as_of`. */
export const DeletedAt = Type.Optional(
  Type.Integer({ description: 'With `as_of`: when it was deleted since; Unix timestamp in seconds' }),
);
/** Of records whose texts go with their key. */
export const Erased = Type.Optional(
  Type.Boolean({ description: 'With `as_of`: its texts were erased when it was deleted' }),
);
export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Records per page' });

/** `rule` is the error message when the pattern does not match. */
export const patterned = (pattern: string, rule: string, options: object = {}) =>
  Type.String({ pattern, 'x-rule': rule, ...options });

/** Name of an authz policy. */
export const policyName = (options: object = {}) =>
  patterned(
    '^[a-z][a-z0-9_-]{0,63}$',
    'must begin with a lower-case letter, and hold at most 64 lower-case letters, figures, - and _',
    options,
  );

/** An address that a caller names. */
export const HttpUrl = Type.String({
  format: 'uri',
  maxLength: 2000,
  'x-http-url': true,
  description: 'Absolute http or https URL without user name and password',
});

export const Name = patterned('\\S', 'must not be blank', { maxLength: 200 });

export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    message: Type.String({ description: 'What is wrong and what to do, for people' }),
    type: Type.String({ description: 'What is wrong, for programs' }),
  }),
});

export const Pagination = Type.Object({
  limit: Type.Integer(),
  has_more: Type.Boolean(),
  total: Type.Integer(),
  next_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Id of the last record: send it as `after`. Absent on the last page',
    }),
  ),
});

/** For lists whose records have no id. */
export const CursorPagination = Type.Object({
  limit: Type.Integer(),
  has_more: Type.Boolean(),
  total: Type.Optional(Type.Integer()),
  next_id: Type.Optional(Type.String({ description: 'Cursor: send it as `after`. Absent on the last page' })),
});

const cursor = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));
export const pageFields = {
  limit: Type.Optional(Limit),
  after: cursor('Fetch records after this id: one that the list shows, or showed until it was removed'),
  next_id: cursor('Another name of `after`'),
};
export const ListQuery = closed(pageFields);

/** The body of an operation without parameters: a field in it would be ignored, so it is refused. */
export const Nothing = closed({}, { examples: [{}] });

export const Message = Type.Object({ message: Type.String() });
