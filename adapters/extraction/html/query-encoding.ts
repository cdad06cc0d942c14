/**
 * `reference` with its query in the encoding of the page, as browsers send it (WHATWG URL, "percent-encode after
 * encoding"): what a URL parser gets is ASCII there. Characters that the encoding lacks are written as `&#…;`. The rest of
 * the reference, and all of it in UTF-8, stays as it is.
 *
 * @param encoding WHATWG name in lower case
 */
export const queryInEncoding = (reference: string, encoding: string): string => {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(reference) ?? [];
  if (!BEYOND_ASCII.test(query)) return reference;
  const bytesOf = encoderOf(encoding);
  if (bytesOf === null) return reference;
  const encoded = Array.from(query, (character) => {
    if (character < '\u0080') return character;
    return bytesOf.get(character) ?? `%26%23${character.codePointAt(0)}%3B`;
  });
  return before + encoded.join('') + fragment;
};

const BEYOND_ASCII = /[^\0-\u007f]/;

/** Each character as it stands in a query. */
type Encoder = ReadonlyMap<string, string>;
const encoders = new Map<string, Encoder | null>();

const encoderOf = (encoding: string): Encoder | null => {
  const known = encoders.get(encoding);
  if (known !== undefined) return known;
  const encoder = hasEncoder(encoding) ? createEncoder(encoding) : null;
  encoders.set(encoding, encoder);
  return encoder;
};

/** UTF-16 has no encoder of its own, and ISO-2022-JP one with states, which nobody wrote links in. */
const hasEncoder = (encoding: string): boolean => !/^(?:utf-|iso-2022|replacement)/.test(encoding);

/**
 * The inverse of the decoder. Of several byte sequences for one character the first counts, but for those that WHATWG
 * Encoding leaves out: rows of Big5 below A1, and those of NEC in Shift_JIS.
 */
const createEncoder = (encoding: string): Encoder => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new Map<string, string>();
  const add = (...bytes: readonly number[]): boolean => {
    let text = '';
    try {
      text = decoder.decode(Uint8Array.from(bytes));
    } catch {
      return false;
    }
    if ([...text].length === 1 && !encoder.has(text)) encoder.set(text, bytes.map(inQuery).join(''));
    return true;
  };
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    if (add(lead) || isLeftOut(encoding, lead)) continue;
    for (let trail = 0x30; trail <= 0xff; trail += 1) add(lead, trail);
  }
  return encoder;
};

const isLeftOut = (encoding: string, lead: number): boolean =>
  (encoding === 'big5' && lead < 0xa1) || (encoding === 'shift_jis' && (lead === 0xed || lead === 0xee));

/** Second bytes may be ASCII, and stand for themselves. */
const inQuery = (byte: number): string =>
  byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;
