import type { SchemaCompiler } from '../../../application/ports/compilers.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { inPlainWords } from './plain-words.ts';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Maximum number of reported problems, and the maximum length of a value (in characters of JSON) that is
 * checked for all of them.
 */
const MAX_PROBLEMS = 20;
const MAX_CHARACTERS_FOR_ALL_PROBLEMS = 20_000;

/** See the port. Each schema gets its own validator, which leaves no state behind. */
export const schemaCompiler: SchemaCompiler = {
  compile: (schema) => {
    assertSupported(schema);
    const first = validatorOf(schema, false);
    let all: ValidateFunction | undefined;
    return (value) => {
      if (first(value)) return [];
      if (JSON.stringify(value).length > MAX_CHARACTERS_FOR_ALL_PROBLEMS) return problemsOf(first);
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
  // Ajv's own keyword compares every item with every other one.
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
    throw schemaError(wrong.instancePath, inPlainWords(wrong).slice(0, 500));
  }
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw schemaError('', (error as Error).message.replace(/^strict mode: /, '').slice(0, 500));
  }
};

/** JSON with sorted keys: equal for equal values. */
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

/**
 * Limits: characters of the schema as JSON, depth of the JSON, and number of subschemas after all references
 * are expanded.
 */
const MAX_CHARACTERS = 32_000;
const MAX_LEVELS = 32;
const MAX_SCHEMAS = 1_000;

const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const REFERENCE = /^#\/(\$defs|definitions)\/([^/~%]+)$/;
const WITH_REGEXP: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);

/**
 * Rejects schemas whose validation costs more than their length suggests: regular expressions, which may take
 * exponential time, external references, recursion, and references that double at every step.
 *
 * @throws DomainError schema_invalid
 */
const assertSupported = (root: Schema): void => {
  assertSmall(root);
  const sizes = new Map<string, number>();
  const following = new Set<string>();

  const sizeOfReference = (reference: unknown, path: string): number => {
    const [, where = '', name = ''] = REFERENCE.exec(String(reference)) ?? [];
    const among = root[where];
    if (!isObject(among) || !Object.hasOwn(among, name)) {
      throw schemaError(path, '$ref must lead to an entry of $defs of this schema, like "#/$defs/name"');
    }
    const key = String(reference);
    const known = sizes.get(key);
    if (known !== undefined) return known;
    if (following.has(key))
      throw schemaError(path, 'recursion is not supported: write out as many levels as needed');
    following.add(key);
    const size = sizeOf(among[name], `/${where}/${name}`);
    following.delete(key);
    sizes.set(key, size);
    return size;
  };

  const sizeOf = (schema: unknown, path: string): number => {
    if (typeof schema === 'boolean') return 1;
    if (!isObject(schema)) throw schemaError(path, 'a schema is an object or a boolean');
    let size = 1;
    for (const [keyword, value] of Object.entries(schema)) {
      for (const [part, subpath] of subschemasOf(keyword, value, path)) size += sizeOf(part, subpath);
      if (keyword === '$ref') size += sizeOfReference(value, path);
      if (size > MAX_SCHEMAS)
        throw schemaError(path, `more than ${MAX_SCHEMAS} schemas with all references written out`);
    }
    return size;
  };

  for (const where of DEFINITIONS) {
    if (root[where] === undefined) continue;
    if (!isObject(root[where])) throw schemaError('', `${where} must be an object`);
    for (const name of Object.keys(root[where])) sizeOfReference(`#/${where}/${name}`, `/${where}`);
  }
  sizeOf(root, '');
};

/** The subschemas of a keyword. */
const subschemasOf = (
  keyword: string,
  value: unknown,
  path: string,
): readonly (readonly [unknown, string])[] => {
  const subpath = `${path}/${keyword}`;
  if (HOLDS_ONE.has(keyword)) return [[value, subpath]];
  if (HOLDS_LIST.has(keyword)) {
    if (!Array.isArray(value)) throw schemaError(subpath, 'must be a list of schemas');
    return value.map((part, i) => [part, `${subpath}/${i}`]);
  }
  if (HOLDS_MAP.has(keyword)) {
    if (!isObject(value)) throw schemaError(subpath, 'must be an object of schemas');
    return Object.entries(value).map(([name, part]) => [part, `${subpath}/${name}`]);
  }
  if (keyword === 'format' && !FORMATS.some((one) => one === value))
    throw schemaError(subpath, `must be one of ${FORMATS.join(', ')}`);
  if (HOLDS_NO_SCHEMA.has(keyword) || keyword === '$ref') return [];
  if (path === '' && (DEFINITIONS as readonly string[]).includes(keyword)) return [];
  if (path === '' && keyword === '$schema' && DRAFT.test(String(value))) return [];
  throw schemaError(path, reasonAgainst(keyword));
};

const reasonAgainst = (keyword: string): string => {
  if (WITH_REGEXP.has(keyword)) return `${keyword} is refused: regular expressions are not supported here`;
  if (keyword === '$schema') return '$schema must be that of draft 2020-12, at the root, or absent';
  if ((DEFINITIONS as readonly string[]).includes(keyword)) return `${keyword} stands at the root only`;
  return `the keyword ${JSON.stringify(keyword.slice(0, 100))} is not supported`;
};

/** Iterative, because a deep value would overflow the stack. */
const assertSmall = (root: Schema): void => {
  let level: readonly unknown[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) throw schemaError('', `it is nested deeper than ${MAX_LEVELS} levels`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  if (JSON.stringify(root).length > MAX_CHARACTERS)
    throw schemaError('', `it is longer than ${MAX_CHARACTERS} characters`);
};

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemaError = (path: string, reason: string): DomainError =>
  new DomainError('schema_invalid', `schema${path.slice(0, 300)}: ${reason}`);

/** Keywords by their value: one schema, a list of schemas, a map of schemas, or something else. */
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

/** The keywords that references may point to, at the root of a schema only; the second is the older name. */
const DEFINITIONS = ['$defs', 'definitions'] as const;

const FORMATS = ['date', 'time', 'date-time', 'email', 'uri', 'uuid'] as const;
