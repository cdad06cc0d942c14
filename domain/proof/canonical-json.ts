/**
 * The canonical form of a JSON value (RFC 8785): members in the order of the UTF-16 units of their names, no white
 * space, numbers and texts as ECMAScript writes them. A lone surrogate, which the RFC leaves out, stays the escape
 * that ECMAScript writes, so that every stored event has a form.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += items === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${items}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  let written = '';
  for (const name of sorted(Object.keys(members))) {
    if (members[name] === undefined) continue;
    written += `${written === '' ? '' : ','}${text(name)}:${canonicalJson(members[name])}`;
  }
  return `{${written}}`;
};

/** What JSON escapes: most texts have none of it, and need no serializer. */
// oxlint-disable-next-line no-control-regex -- JSON escapes control characters
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;
const text = (value: string): string => (ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`);

/** Strings are compared by UTF-16 units. */
const sorted = (names: readonly string[]): readonly string[] => {
  for (let i = 1; i < names.length; i++) if (names[i - 1]! > names[i]!) return names.toSorted();
  return names;
};
