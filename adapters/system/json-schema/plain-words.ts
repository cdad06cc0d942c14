/** A validation error of Ajv for one value. */
export interface Finding {
  readonly keyword: string;
  readonly params: object;
  readonly message?: string;
}

/**
 * Describes the error in plain words, without its path: `must be a whole number`. Names that the caller
 * supplied are cut to 100 characters.
 */
export const inPlainWords = ({ keyword, params, message = 'is invalid' }: Finding): string => {
  const typedParams = params as Readonly<Record<string, unknown>>;
  const write = WORDS[keyword];
  return write === undefined ? message : write(typedParams);
};

type Params = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a date like 2026-05-31',
  time: 'a time like 09:30:00Z',
  'date-time': 'a time like 2026-05-31T09:30:00Z',
  email: 'an e-mail address',
  uri: 'a URI',
};
const COMPARISONS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};

const compared = ({ comparison, limit }: Params): string =>
  `must be ${COMPARISONS[String(comparison)]} ${String(limit)}`;
const counted = (bound: string, limit: unknown, one: string): string =>
  `${bound} ${String(limit)} ${one}${limit === 1 ? '' : 's'}`;
const quoted = (name: unknown): string => JSON.stringify(String(name).slice(0, 100));
const listed = (names: unknown, words: Readonly<Record<string, string>>): string =>
  [names]
    .flat()
    .map((name) => words[String(name)] ?? String(name))
    .join(' or ');

const WORDS: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${listed(type, TYPES)}`,
  format: ({ format }) => `must be ${listed(format, FORMATS)}`,
  enum: ({ allowedValues }) =>
    `must be one of ${(allowedValues as readonly unknown[]).map(valueOf).join(', ')}`,
  const: ({ allowedValue }) => `must be ${valueOf(allowedValue)}`,
  required: ({ missingProperty }) => `lacks the field ${quoted(missingProperty)}`,
  dependentRequired: ({ property, missingProperty }) =>
    `lacks the field ${quoted(missingProperty)}, which goes with ${quoted(property)}`,
  additionalProperties: ({ additionalProperty }) => `has no field ${quoted(additionalProperty)}`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `has no field ${quoted(unevaluatedProperty)}`,
  propertyNames: ({ propertyName }) => `has no field ${quoted(propertyName)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : counted('must have at least', limit, 'character'),
  maxLength: ({ limit }) => counted('may have at most', limit, 'character'),
  minItems: ({ limit }) => counted('must hold at least', limit, 'element'),
  maxItems: ({ limit }) => counted('may hold at most', limit, 'element'),
  minProperties: ({ limit }) => counted('must hold at least', limit, 'field'),
  maxProperties: ({ limit }) => counted('may hold at most', limit, 'field'),
  uniqueItems: () => 'holds the same element twice',
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  anyOf: () => 'has none of the forms that it may have',
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null
      ? 'has none of the forms that it may have'
      : 'has two forms of which it may have one',
  not: () => 'has a form that it must not have',
};

const valueOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
