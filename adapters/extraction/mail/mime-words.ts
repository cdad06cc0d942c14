/** Text in a character set by its name; Western where nobody knows it. */
export const decodedIn = (charset: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

const WORD = /=\?([^?\s]{1,64})\?([bq])\?([^?\s]*)\?=/gi;

/** The text of a header with its encoded words (RFC 2047), of which those that follow each other are one. */
export const withWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(WORD, (_, charset: string, encoding: string, text: string) => {
      const bytes =
        encoding.toLowerCase() === 'b'
          ? Buffer.from(text, 'base64')
          : unquoted(Buffer.from(text.replaceAll('_', ' '), 'latin1'));
      return decodedIn(charset.replace(/\*.*$/, ''), bytes);
    });

const EQUALS = 0x3d;

/** Quoted-printable (RFC 2045, 6.7). What is no code stays as it stands. */
export const unquoted = (bytes: Buffer): Buffer => {
  const found = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte !== EQUALS) {
      found[length++] = byte;
      continue;
    }
    const code = bytes.toString('latin1', at + 1, at + 3);
    if (/^[\da-f]{2}$/i.test(code)) {
      found[length++] = Number.parseInt(code, 16);
      at += 2;
    } else if (/^\r?\n/.test(code)) at += code.startsWith('\r') ? 2 : 1;
    else found[length++] = byte;
  }
  return found.subarray(0, length);
};

/**
 * Parameters of a header by their names in lower case (RFC 2045, 5.1), those that are cut in pieces or have a character set too
 * (RFC 2231).
 */
export const parametersOf = (header: string): ReadonlyMap<string, string> => {
  const plain = new Map<string, string>();
  const pieces = new Map<string, string>();
  for (const [, name, quoted, bare] of header.matchAll(PARAMETER)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '';
    const [base, ...marks] = name!.toLowerCase().split('*');
    if (marks.length === 0) plain.set(base!, withWords(value));
    else pieces.set(base!, (pieces.get(base!) ?? '') + value);
  }
  for (const [name, value] of pieces) plain.set(name, extended(value));
  return plain;
};

const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

/** Behind its character set and language, where it has them, with bytes by their codes. */
const extended = (value: string): string => {
  const [, charset = 'utf-8', text = value] = /^([\w-]*)'[^']*'(.*)$/s.exec(value) ?? [];
  const bytes = Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  return decodedIn(charset || 'utf-8', bytes);
};
