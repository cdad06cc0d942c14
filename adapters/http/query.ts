import type { TSchema } from 'typebox';

/** A query as it was parsed: a name that occurs more than once has an array. */
export type RawQuery = Readonly<Record<string, unknown>>;

/**
 * Turns the texts of a query into the types of its schema. What cannot be turned stays a text, for the validator to
 * refuse. Arrays are comma-separated or repeated.
 */
export const createQueryReader = (schema: TSchema): ((raw: RawQuery) => Record<string, unknown>) => {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]));
  return (raw) => {
    // Without a prototype: `__proto__` is then a name like any other, and refused like any other.
    const query = Object.create(null) as Record<string, unknown>;
    for (const name of Object.keys(raw)) query[name] = typed(types.get(name), raw[name]);
    return query;
  };
};

/** Beyond 2^53 a number is no longer the one that was sent. */
const isInteger = (text: string): boolean => /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));

const typed = (type: string | undefined, value: unknown): unknown => {
  if (type === 'array') return [value].flat().flatMap((text) => String(text).split(','));
  if (typeof value !== 'string') return value;
  if (type === 'integer') return isInteger(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
};
