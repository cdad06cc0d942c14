/**
 * The name of the file in a Content-Disposition header (RFC 6266): `filename*` (RFC 8187) before `filename`, which
 * servers also send in raw UTF-8, percent-encoded, or as words of a mail (RFC 2047). Without folders; null where there
 * is none.
 */
export const fileNameIn = (header: string | null): string | null => {
  if (header === null) return null;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token.trim();
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  const name = extended(parameters.get('filename*')) ?? plain(parameters.get('filename')) ?? '';
  const last = name.split(/[/\\]/).at(-1)?.replaceAll(CONTROLS, '').trim().slice(0, 255) ?? '';
  return last === '' || /^\.+$/.test(last) ? null : last;
};

const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;
const CONTROLS = /\p{Cc}/gu;

const extended = (value: string | undefined): string | null => {
  const [, charset = '', text = ''] = /^([\w-]*)'[^']*'(.*)$/.exec(value ?? '') ?? [];
  if (charset === '') return null;
  return decoded(bytesOf(text), charset);
};

/** A header has one byte a character. */
const plain = (value: string | undefined): string | null => {
  if (value === undefined) return null;
  if (ENCODED_WORD.test(value)) return value.replaceAll(ENCODED_WORD, wordIn);
  return decoded(bytesOf(value), 'utf-8') ?? decoded(Buffer.from(value, 'latin1'), 'utf-8') ?? value;
};

const ENCODED_WORD = /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi;
const wordIn = (written: string, charset: string, kind: string, text: string): string => {
  const isBase64 = kind.toLowerCase() === 'b';
  const bytes = isBase64
    ? Buffer.from(text, 'base64')
    : bytesOf(text.replaceAll('_', ' ').replaceAll(/=(?=[\da-f]{2})/gi, '%'));
  return decoded(bytes, charset) ?? written;
};

const bytesOf = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const decoded = (bytes: Buffer, charset: string): string | null => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};
