type Members = { readonly [name: string]: unknown };

/**
 * The canonical form of a JSON value (RFC 8785): members in the order of the UTF-16 units of their names, no white
 * space, numbers and texts as ECMAScript writes them. A lone surrogate, which the RFC leaves out, stays the escape
 * that ECMAScript writes, so that every stored event has a form.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value)) ?? written(value);

/**
 * A copy with its members in canonical order, which the serializer of the engine writes as one text: several times as
 * fast to write and to hash as one that is put together here. Undefined where an object cannot have that order.
 */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.includes(undefined) ? undefined : items;
  }
  const copy: { [name: string]: unknown } = {};
  for (const name of sorted(Object.keys(value))) {
    const member = (value as Members)[name];
    if (member === undefined) continue;
    const item = OUT_OF_ORDER.test(name) ? undefined : ordered(member);
    if (item === undefined) return undefined;
    copy[name] = item;
  }
  return copy;
};

/** Objects have names of integers first, in the order of the integers; `__proto__` names no member. */
const OUT_OF_ORDER = /^\d|^__proto__$/;

const written = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const members = sorted(Object.keys(value)).flatMap((name) => {
    const member = (value as Members)[name];
    return member === undefined ? [] : [`${JSON.stringify(name)}:${written(member)}`];
  });
  return `{${members.join(',')}}`;
};

const FEW = 32;

/** By UTF-16 units, in place where names are few: these are mostly in order, and then faster to insert. */
const sorted = (names: string[]): readonly string[] => {
  if (names.length > FEW) return names.toSorted();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let to = i;
    for (; to > 0 && names[to - 1]! > name; to--) names[to] = names[to - 1]!;
    names[to] = name;
  }
  return names;
};
