/**
 * Two spellings of one name: the program says `dataSourceId`, whatever is stored or sent says `data_source_id`. Adapters
 * and the event codec map one to the other, by these functions alone.
 */

/** Fields whose value is a dictionary with keys of the caller: they are kept as they are, at every depth. */
const FREE: ReadonlySet<string> = new Set(['attributes']);

type Spell = (name: string) => string;

/** Each name is spelt once: there are few, and they come in every event and every row. */
const remembered = (spell: Spell): Spell => {
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
/** A bound, in case that names come from outside. */
const MAX_KNOWN = 2_000;

/** `data_source_id` → `dataSourceId`. A name without underscores is kept. */
const camelCase: Spell = remembered((name) =>
  name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

/** `dataSourceId` → `data_source_id`. A name without capitals is kept. */
export const snakeCase: Spell = remembered((name) =>
  name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** The same of a name that the compiler knows. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** All keys of objects and arrays of objects, at every depth; the value itself is not changed. */
export const camelKeys = (value: unknown): unknown => spelt(value, camelCase);
export const snakeKeys = (value: unknown): unknown => spelt(value, snakeCase);

const spelt = (value: unknown, spell: Spell): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isObject) ? value.map((part) => spelt(part, spell)) : value;
  if (!isPlain(value)) return value;
  const out: { [key: string]: unknown } = {};
  for (const [key, part] of Object.entries(value))
    out[spell(key)] = isObject(part) && !FREE.has(key) ? spelt(part, spell) : part;
  return out;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
