/** The number of texts that every known provider accepts in one request, and proxies let through. */
const MAX_TEXTS = 96;
const MAX_BYTES = 256 * 1024;

/**
 * Splits the texts in order into batches of at most 96 texts and 256 KiB of UTF-8; a longer text is a batch of its own.
 */
export const batchesOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  let bytes = Infinity;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_TEXTS || bytes + length > MAX_BYTES) {
      batches.push([text]);
      bytes = length;
    } else {
      last.push(text);
      bytes += length;
    }
  }
  return batches;
};
