/** A text as JSON in UTF-8, quotes included. */
export type JsonTexts = (text: string) => Uint8Array;

/** Approximate overhead of each text, in addition to its characters and bytes. */
const TEXT_BYTES = 400;

/**
 * Caches encoded texts, most recently used, up to about this many bytes: well-ranked contents are found again and
 * again, and escaping and encoding texts is most of the cost of a response. The text itself is the key, so that a
 * redacted or changed text is another entry.
 */
export const createJsonTexts = (maxBytes = 32 * 1024 ** 2): JsonTexts => {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) {
      kept.delete(text);
      kept.set(text, known);
      return known;
    }
    const bytes = encoded(text);
    kept.set(text, bytes);
    size += bytesOf(text, bytes);
    for (const [oldest, of] of kept) {
      if (size <= maxBytes) break;
      kept.delete(oldest);
      size -= bytesOf(oldest, of);
    }
    return bytes;
  };
};

const bytesOf = (text: string, { length }: Uint8Array): number => TEXT_BYTES + 2 * text.length + length;

/** Copied to its own memory: a slice of a larger buffer would keep all of it alive. */
const encoded = (text: string): Uint8Array => {
  const json = JSON.stringify(text);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
};
