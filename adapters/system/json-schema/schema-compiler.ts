import type { SchemaCompiler } from '../../../application/ports/compilers.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { inPlainWords } from './plain-words.ts';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** Problems that are told, and the longest value, in characters of JSON, of which all are looked for. */
const MAX_PROBLEMS = 20;
const ALL_PROBLEMS_OF = 20_000;

/** See the port. A schema is checked by a validator of its own, of which nothing stays. */
export const schemaCompiler: SchemaCompiler = {
  compile: (schema) => {
    admit(schema);
    const first = validatorOf(schema, false);
    let all: ValidateFunction | undefined;
    return (value) => {
      if (first(value)) return [];
      if (JSON.stringify(value).length > ALL_PROBLEMS_OF) return problemsOf(first);
      all ??= validatorOf(schema, true);
      all(value);
      return problemsOf(all);
    };
  },
};

const validatorOf = (schema: object, allErrors: boolean): ValidateFunction => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors,
    ownProperties: true,
    inlineRefs: false,
    logger: false,
  });
  formats.default(ajv, { mode: 'fast', formats: [...FORMATS] });
  // Its own compares every item with every other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || new Set(items.map(canonical)).size === items.length,
  });
  if (ajv.validateSchema(schema) !== true && ajv.errors?.[0] !== undefined) {
    const [wrong] = ajv.errors;
    throw refused(wrong.instancePath, inPlainWords(wrong).slice(0, 500));
  }
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw refused('', (error as Error).message.replace(/^strict mode: /, '').slice(0, 500));
  }
};

/** JSON whose keys are sorted: equal for equal values. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const problemsOf = ({ errors }: ValidateFunction): readonly string[] =>
  (errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);

const problemOf = (error: ErrorObject): string => {
  const { instancePath } = error;
  return `${instancePath === '' ? '(root)' : instancePath.slice(0, 300)} ${inPlainWords(error).slice(0, 500)}`;
};

type Schema = Readonly<Record<string, unknown>>;

/** Characters of the schema as JSON, levels of the JSON, and schemas in it when every reference is written out. */
const MAX_CHARACTERS = 32_000;
const MAX_LEVELS = 32;
const MAX_SCHEMAS = 1_000;

const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const REFERENCE = /^#\/(\$defs|definitions)\/([^/~%]+)$/;
const WITH_REGEXP: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);

/**
 * Refuses schemas that cost more to check with than they are long: regular expressions, which may take exponential time,
 * references elsewhere, recursion, and references that double at every step.
 *
 * @throws DomainError schema_invalid
 */
const admit = (root: Schema): void => {
  mustBeSmall(root);
  const sizes = new Map<string, number>();
  const following = new Set<string>();

  const sizeOfReference = (reference: unknown, at: string): number => {
    const [, where = '', name = ''] = REFERENCE.exec(String(reference)) ?? [];
    const among = root[where];
    if (!isObject(among) || !Object.hasOwn(among, name)) {
      throw refused(at, '$ref must lead to an entry of $defs of this schema, like "#/$defs/name"');
    }
    const key = String(reference);
    const known = sizes.get(key);
    if (known !== undefined) return known;
    if (following.has(key))
      throw refused(at, 'recursion is not supported: write out as many levels as needed');
    following.add(key);
    const size = sizeOf(among[name], `/${where}/${name}`);
    following.delete(key);
    sizes.set(key, size);
    return size;
  };

  const sizeOf = (schema: unknown, at: string): number => {
    if (typeof schema === 'boolean') return 1;
    if (!isObject(schema)) throw refused(at, 'a schema is an object or a boolean');
    let size = 1;
    for (const [keyword, value] of Object.entries(schema)) {
      for (const [part, place] of partsOf(keyword, value, at)) size += sizeOf(part, place);
      if (keyword === '$ref') size += sizeOfReference(value, at);
      if (size > MAX_SCHEMAS)
        throw refused(at, `more than ${MAX_SCHEMAS} schemas with all references written out`);
    }
    return size;
  };

  for (const where of DEFINITIONS) {
    if (root[where] === undefined) continue;
    if (!isObject(root[where])) throw refused('', `${where} must be an object`);
    for (const name of Object.keys(root[where])) sizeOfReference(`#/${where}/${name}`, `/${where}`);
  }
  sizeOf(root, '');
};

/** The schemas that a keyword holds. */
const partsOf = (keyword: string, value: unknown, at: string): readonly (readonly [unknown, string])[] => {
  const place = `${at}/${keyword}`;
  if (HOLDS_ONE.has(keyword)) return [[value, place]];
  if (HOLDS_LIST.has(keyword)) {
    if (!Array.isArray(value)) throw refused(place, 'must be a list of schemas');
    return value.map((part, i) => [part, `${place}/${i}`]);
  }
  if (HOLDS_MAP.has(keyword)) {
    if (!isObject(value)) throw refused(place, 'must be an object of schemas');
    return Object.entries(value).map(([name, part]) => [part, `${place}/${name}`]);
  }
  if (keyword === 'format' && !FORMATS.some((one) => one === value))
    throw refused(place, `must be one of ${FORMATS.join(', ')}`);
  if (HOLDS_NO_SCHEMA.has(keyword) || keyword === '$ref') return [];
  if (at === '' && (DEFINITIONS as readonly string[]).includes(keyword)) return [];
  if (at === '' && keyword === '$schema' && DRAFT.test(String(value))) return [];
  throw refused(at, reasonAgainst(keyword));
};

const reasonAgainst = (keyword: string): string => {
  if (WITH_REGEXP.has(keyword)) return `${keyword} is refused: regular expressions are not supported here`;
  if (keyword === '$schema') return '$schema must be that of draft 2020-12, at the root, or absent';
  if ((DEFINITIONS as readonly string[]).includes(keyword)) return `${keyword} stands at the root only`;
  return `the keyword ${JSON.stringify(keyword.slice(0, 100))} is not supported`;
};

/** Without recursion, which a deep value would bring down. */
const mustBeSmall = (root: Schema): void => {
  let level: readonly unknown[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) throw refused('', `it is nested deeper than ${MAX_LEVELS} levels`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  if (JSON.stringify(root).length > MAX_CHARACTERS)
    throw refused('', `it is longer than ${MAX_CHARACTERS} characters`);
};

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (at: string, reason: string): DomainError =>
  new DomainError('schema_invalid', `schema${at.slice(0, 300)}: ${reason}`);

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
const [HOLDS_ONE, HOLDS_LIST, HOLDS_MAP, HOLDS_NO_SCHEMA] = [ONE, LIST, MAP, VALUE].map(words) as [
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
];

/** Where references lead, at the root of a schema only; the second is the older name. */
const DEFINITIONS = ['$defs', 'definitions'] as const;

const FORMATS = ['date', 'time', 'date-time', 'email', 'uri', 'uuid'] as const;
