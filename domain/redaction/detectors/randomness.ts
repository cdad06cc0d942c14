const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** With a sign or more. */
const BASE64_40 = /^(?=.*[/+])[A-Za-z0-9/+]{40}$/;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Whether a string looks drawn by lot rather than written: many different characters (Shannon entropy), at least two
 * figures among letters (one in a key of 40 characters of base64, as AWS makes them), and the kind of character (upper case, lower case, figure) changing often. Identifiers, words
 * with hyphens, paths and file names change it seldom. A UUID names something and gives no access; a hash of 32 and
 * more hexadecimal figures cannot be told from a key, and counts as one.
 */
export const looksRandom = (token: string): boolean => {
  if (UUID.test(token)) return false;
  const figures = token.replaceAll(/\D/g, '').length;
  if (figures < (BASE64_40.test(token) ? 1 : 2) || !/[A-Za-z]/.test(token)) return false;
  if (HEX.test(token)) return token.length >= 32 && entropyOf(token) >= 3 && changesIn(token) >= 0.2;
  return entropyOf(token) >= 3.5 && changesIn(token) >= 0.3 && longestPart(token) >= 10;
};

/** Bits per character. */
const entropyOf = (token: string): number => {
  const counts = new Map<string, number>();
  for (const char of token) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
};

/** Share of the neighbours that are of different kinds, signs left out. */
const changesIn = (token: string): number => {
  const kinds = token
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/\d/g, '0');
  let changes = 0;
  for (let i = 1; i < kinds.length; i += 1) if (kinds.charAt(i) !== kinds.charAt(i - 1)) changes += 1;
  return kinds.length < 2 ? 0 : changes / (kinds.length - 1);
};

/** A date, a version or a short id between signs is not much of a secret. */
const longestPart = (token: string): number =>
  Math.max(...token.split(/[^A-Za-z0-9]/).map((part) => part.length));
