/**
 * Converts names between the program's spelling (`dataSourceId`) and the stored and transmitted spelling
 * (`data_source_id`). Adapters and the event codec use only these functions.
 */

/** Fields whose value is a dictionary with the caller's keys; they are not converted, at any depth. */
const FREE_FORM_FIELDS: ReadonlySet<string> = new Set(['attributes']);

type Spell = (name: string) => string;

/** Caches conversions: there are few names, and they occur in every event and row. */
const memoized = (spell: Spell): Spell => {
  const known = new Map<string, string>();
  return (name) => {
    let spelt = known.get(name);
    if (spelt === undefined) {
      spelt = spell(name);
      if (known.size < MAX_KNOWN) known.set(name, spelt);
    }
    return spelt;
  };
};
/** Limits the cache, in case names come from outside. */
const MAX_KNOWN = 2_000;

/** `data_source_id` → `dataSourceId`. A name without underscores stays as it is. */
const camelCase: Spell = memoized((name) =>
  name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

/** `dataSourceId` → `data_source_id`. A name without capitals stays as it is. */
export const snakeCase: Spell = memoized((name) =>
  name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** `snakeCase` for names that the compiler knows. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Converts all keys of objects and arrays of objects, at every depth; returns a new value. */
export const camelKeys = (value: unknown): unknown => spelt(value, camelCase);
export const snakeKeys = (value: unknown): unknown => spelt(value, snakeCase);

const spelt = (value: unknown, spell: Spell): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isObject) ? value.map((part) => spelt(part, spell)) : value;
  if (!isPlain(value)) return value;
  const out: { [key: string]: unknown } = {};
  for (const [key, part] of Object.entries(value))
    out[spell(key)] = isObject(part) && !FREE_FORM_FIELDS.has(key) ? spelt(part, spell) : part;
  return out;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
