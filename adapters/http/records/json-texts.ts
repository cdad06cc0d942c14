/** A text as JSON in UTF-8, quotes included. */
export type JsonTexts = (text: string) => Uint8Array;

/** What each text takes beside its characters and bytes, about. */
const TEXT_BYTES = 400;

/**
 * Keeps texts as they are sent, those last asked for, at most so many bytes, about: who ranks well is found again and again,
 * and to escape and encode texts is most of writing an answer. A text is known by itself: what a policy hides, or what has
 * changed, is another text.
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

/** In memory of its own: a part of a larger piece would keep all of it. */
const encoded = (text: string): Uint8Array => {
  const json = JSON.stringify(text);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
};
