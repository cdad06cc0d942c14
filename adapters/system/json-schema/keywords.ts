/** Keywords by what they hold: schemas in one of three forms, or something that is no schema. */
const ONE =
  'items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties';
const LIST = 'allOf anyOf oneOf prefixItems';
const MAP = 'properties dependentSchemas';
const VALUE =
  'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems ' +
  'uniqueItems maxContains minContains maxProperties minProperties required dependentRequired format ' +
  'title description default examples deprecated readOnly writeOnly $comment';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
export const [HOLDS_ONE, HOLDS_LIST, HOLDS_MAP, HOLDS_NO_SCHEMA] = [ONE, LIST, MAP, VALUE].map(words) as [
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
];

/** Where references lead, at the root of a schema only; the second is the older name. */
export const DEFINITIONS = ['$defs', 'definitions'] as const;

export const FORMATS = ['date', 'time', 'date-time', 'email', 'uri', 'uuid'] as const;
