const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Links of earlier versions hold texts that read as JSON, such as numbers and objects, as JSON once more. */
const unwrapped = (text: string): string => {
  if (!text.startsWith('"') || !isJson(text)) return text;
  const inner: unknown = JSON.parse(text);
  return typeof inner === 'string' && isJson(inner) ? inner : text;
};

/** The search part of an address: each parameter is a text. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, unwrapped(value)]));

/** Writes texts as they are, but those few that would be taken for a link of an earlier version. */
export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string')
      given.set(name, unwrapped(value) === value ? value : JSON.stringify(value));
  const text = given.toString();
  // These stand for themselves in the search part (RFC 3986, 3.4), and addresses are read by people.
  return text === '' ? '' : `?${text.replaceAll(/%2C|%3A|%2F/g, decodeURIComponent)}`;
};
