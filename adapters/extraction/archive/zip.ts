import { ExtractionFailure } from '../extraction-failure.ts';
import { inflateRawSync } from 'node:zlib';

/** A ZIP archive, read from its central directory (APPNOTE.TXT 6.3.10, sections 4.3 and 4.5). */
export interface Zip {
  /** In directory order, without a leading slash. */
  readonly names: readonly string[];
  /** Whether any entry needs a password. */
  readonly encrypted: boolean;
  /**
   * Decompresses an entry; ignores the case of its name; null when missing.
   *
   * @throws {ExtractionFailure} `too_large` beyond the limits of one entry or of all entries, `parser_failed`
   */
  read(name: string): Buffer | null;
}

/** Office files decompress to about ten times their size. */
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

/** The directory record of an entry. */
interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  /** Compressed size in bytes. */
  readonly packed: number;
  /** Offset of its local header, as the directory says. */
  readonly at: number;
}

/** The entries in directory order, and the correction of their offsets. */
interface ZipDirectory {
  readonly entries: readonly Entry[];
  readonly shift: number;
}

/** Office files have some hundred entries. */
const MAX_ENTRIES = 20_000;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const IN_64 = 0xffffffff;

/**
 * Reads the central directory at the end of an archive (APPNOTE.TXT 6.3.10, sections 4.3 and 4.5).
 *
 * @throws {ExtractionFailure} `truncated` without a directory, `too_large`
 * @throws {RangeError} for an offset beyond the end
 */
const readDirectory = (bytes: Buffer): ZipDirectory => {
  const { end, count, size, offset } = findEnd(bytes);
  if (count > MAX_ENTRIES)
    throw new ExtractionFailure('too_large', `its ZIP archive has more than ${MAX_ENTRIES} entries`);
  // Data before the archive (a self-extracting program) shifts all offsets.
  const start = end - size;
  const shift = start >= offset && start >= 0 && signature(bytes, start) === ENTRY ? start - offset : 0;
  const entries: Entry[] = [];
  let at = offset + shift;
  while (entries.length < count && at + 46 <= bytes.length && signature(bytes, at) === ENTRY) {
    const [nameLength, extraLength, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    entries.push(readEntry(bytes, at, nameLength!, extraLength!));
    at += 46 + nameLength! + extraLength! + comment!;
  }
  if (entries.length === 0)
    throw new ExtractionFailure('truncated', 'its ZIP archive has an empty or broken directory');
  return { entries, shift };
};

const readEntry = (bytes: Buffer, at: number, nameLength: number, extraLength: number): Entry => {
  const wide = wideFields(bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
  const field = (position: number): number => {
    const value = bytes.readUInt32LE(at + position);
    return value === IN_64 ? (wide.shift() ?? value) : value;
  };
  // The ZIP64 fields are consecutive; the uncompressed size, which is not trusted, comes first.
  field(24);
  const packed = field(20);
  return {
    name: bytes
      .toString('utf8', at + 46, at + 46 + nameLength)
      .replaceAll('\\', '/')
      .replace(/^\/+/, ''),
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    packed,
    at: field(42),
  };
};

/** The ZIP64 extra field: only those of size, compressed size and offset that did not fit. */
const wideFields = (extra: Buffer): number[] => {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const data = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: data.length >> 3 }, (_, index) => Number(data.readBigUInt64LE(8 * index)));
  }
  return [];
};

const findEnd = (bytes: Buffer) => {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes[at] !== 0x50 || signature(bytes, at) !== END) continue;
    const found = {
      end: at,
      count: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 12),
      offset: bytes.readUInt32LE(at + 16),
    };
    if (found.count !== 0xffff && found.offset !== IN_64) return found;
    return findEnd64(bytes, at) ?? found;
  }
  throw new ExtractionFailure('truncated', 'its ZIP archive breaks off: it has no directory at its end');
};

const findEnd64 = (bytes: Buffer, end: number) => {
  if (end < 20 || signature(bytes, end - 20) !== LOCATOR_64) return null;
  const at = Number(bytes.readBigUInt64LE(end - 12));
  if (signature(bytes, at) !== END_64) return null;
  const [count, size, offset] = [32, 40, 48].map((field) => Number(bytes.readBigUInt64LE(at + field)));
  return { end: at, count: count!, size: size!, offset: offset! };
};

const signature = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at);
