/** As many as every known provider takes in one request, and what a proxy before it lets through. */
const MAX_TEXTS = 96;
const MAX_BYTES = 256 * 1024;

/** The texts in their order, cut into runs of at most 96 texts and 256 KiB of UTF-8; a longer text is a run alone. */
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
