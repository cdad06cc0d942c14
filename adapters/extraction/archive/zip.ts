import { inflateRawSync } from 'node:zlib';
import { ExtractionFailure } from '../extraction-failure.ts';
import { type Entry, readDirectory, signature } from './zip-directory.ts';

/** A ZIP archive, read from its central directory (APPNOTE.TXT 6.3.10, sections 4.3 and 4.5). */
export interface Zip {
  /** In the order of the directory, without a leading slash. */
  readonly names: readonly string[];
  /** Whether any entry needs a password. */
  readonly encrypted: boolean;
  /**
   * Unfolds an entry, whatever the case of its name; null where there is none.
   *
   * @throws {ExtractionFailure} `too_large` beyond the bounds of one entry or of all together, `parser_failed`
   */
  read(name: string): Buffer | null;
}

/** Office files unfold to some ten times their size. */
const MAX_ENTRY_BYTES = 192 * 1_024 ** 2;
const MAX_TOTAL_BYTES = 384 * 1_024 ** 2;

/** @throws {ExtractionFailure} `truncated` without a directory, `too_large`, `parser_failed` */
export const openZip = (bytes: Buffer): Zip => {
  try {
    return openDirectory(bytes);
  } catch (error) {
    // An offset beyond the end.
    if (error instanceof RangeError)
      throw new ExtractionFailure('parser_failed', 'the directory of its ZIP archive is broken');
    throw error;
  }
};

const openDirectory = (bytes: Buffer): Zip => {
  const { entries, shift } = readDirectory(bytes);
  const byName = new Map<string, Entry>();
  for (const entry of entries) {
    const key = entry.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, entry);
  }
  let left = MAX_TOTAL_BYTES;
  return {
    names: entries.map(({ name }) => name),
    encrypted: entries.some(({ flags }) => (flags & 1) !== 0),
    read: (name) => {
      const entry = byName.get(name.toLowerCase());
      if (entry === undefined) return null;
      const content = unfold(bytes, entry, shift, Math.min(left, MAX_ENTRY_BYTES));
      left -= content.length;
      return content;
    },
  };
};

const LOCAL = 0x04034b50;

const unfold = (bytes: Buffer, entry: Entry, shift: number, most: number): Buffer => {
  if ((entry.flags & 1) !== 0)
    throw new ExtractionFailure('encrypted', 'a part of its ZIP archive needs a password');
  const at = entry.at + shift;
  if (at + 30 > bytes.length || signature(bytes, at) !== LOCAL)
    throw new ExtractionFailure('parser_failed', 'its ZIP archive names a part that is not there');
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const packed = bytes.subarray(start, start + entry.packed);
  if (entry.method === 0) return packed.length > most ? tooLarge() : packed;
  if (entry.method !== 8)
    throw new ExtractionFailure('parser_failed', `its ZIP archive is packed by method ${entry.method}`);
  return inflated(packed, most);
};

const inflated = (packed: Buffer, most: number): Buffer => {
  if (most <= 0) return tooLarge();
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
    throw new ExtractionFailure('parser_failed', 'a part of its ZIP archive does not unfold', {
      cause: error,
    });
  }
};

const tooLarge = (): never => {
  throw new ExtractionFailure('too_large', 'its ZIP archive unfolds to more than is read');
};
