import { DomainError } from '../../../domain/shared/domain-error.ts';
import { DEFINITIONS, FORMATS, HOLDS_LIST, HOLDS_MAP, HOLDS_NO_SCHEMA, HOLDS_ONE } from './keywords.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Characters of the schema as JSON, levels of the JSON, and schemas in it when every reference is written out. */
const MOST_CHARACTERS = 32_000;
const MOST_LEVELS = 32;
const MOST_SCHEMAS = 1_000;

const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const REFERENCE = /^#\/(\$defs|definitions)\/([^/~%]+)$/;
const WITH_REGEXP: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);

/**
 * Refuses schemas that cost more to check with than they are long: regular expressions, which may take exponential time,
 * references elsewhere, recursion, and references that double at every step.
 *
 * @throws DomainError schema_invalid
 */
export const admit = (root: Schema): void => {
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
      if (size > MOST_SCHEMAS)
        throw refused(at, `more than ${MOST_SCHEMAS} schemas with all references written out`);
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
    if (depth > MOST_LEVELS) throw refused('', `it is nested deeper than ${MOST_LEVELS} levels`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  if (JSON.stringify(root).length > MOST_CHARACTERS)
    throw refused('', `it is longer than ${MOST_CHARACTERS} characters`);
};

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const refused = (at: string, reason: string): DomainError =>
  new DomainError('schema_invalid', `schema${at.slice(0, 300)}: ${reason}`);
