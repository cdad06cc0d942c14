import type { FoundFile } from './find-files.ts';

/** Small enough for the bar to move, and for one that breaks off to cost little. */
const MOST_FILES = 200;
const MOST_BYTES = 32 * 1024 ** 2;
/** What the service takes in one form, with room for what stands around the file. */
export const MOST_OF_ONE = 499 * 1024 ** 2;

/** What goes together into one form each, in order. A large file goes alone. */
export const batchesOf = (files: readonly FoundFile[]): readonly (readonly FoundFile[])[] => {
  const batches: FoundFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const last = batches.at(-1);
    bytes += file.bytes;
    if (last === undefined || last.length === MOST_FILES || bytes > MOST_BYTES) {
      batches.push([file]);
      ({ bytes } = file);
    } else last.push(file);
  }
  return batches;
};
