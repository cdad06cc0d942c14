import { ExtractionFailure } from '../extraction-failure.ts';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
export const isCompoundFile = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE);

/** A compound file with named streams ([MS-CFB]): the container of office files before 2007. */
export interface CompoundFile {
  /** Whether the root storage has this entry; ignores case. */
  has(name: string): boolean;
  /**
   * A stream of the root storage, or of nested storages separated by slashes; null when missing. Returns the available
   * part of a truncated stream.
   */
  read(name: string): Buffer | null;
  /** Names of its streams, in lower case. */
  readonly streams: readonly string[];
  /** Names of its storages, in lower case. */
  readonly storages: readonly string[];
  /** A storage as a compound file: mails store attached mails like this. */
  within(storage: string): CompoundFile;
}

const STORAGE = 1;
const STREAM = 2;
const ENTRY_BYTES = 128;
const NO_ENTRY = 0xffffffff;
/** Office programs write a few dozen. */
const MAX_ENTRIES = 20_000;
const SHORT_SECTOR_BYTES = 64;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly siblings: readonly number[];
  readonly child: number;
  readonly first: number;
  readonly size: number;
}

/** @throws {ExtractionFailure} `truncated` when sectors at the end are missing, `parser_failed` */
export const openCompoundFile = (bytes: Buffer): CompoundFile => {
  try {
    const sectors = readSectors(bytes);
    const start = bytes.readUInt32LE(0x30);
    if (!sectors.isWhole(start)) throw new RangeError('its directory is truncated');
    const entries = readEntries(sectors.read(start, MAX_ENTRIES * ENTRY_BYTES));
    if (entries[0] === undefined) throw new RangeError('it has no directory');
    return streamsOf(entries, sectors, bytes);
  } catch (error) {
    throw isCut(bytes)
      ? new ExtractionFailure('truncated', 'it breaks off: sectors of it are missing', { cause: error })
      : new ExtractionFailure('parser_failed', 'its directory of streams is broken', { cause: error });
  }
};

const streamsOf = (entries: readonly Entry[], sectors: Sectors, bytes: Buffer): CompoundFile => {
  const byName = named(entries);
  const paths = [...byName.keys()];
  const longFrom = bytes.readUInt32LE(0x38);
  let short: Sectors | undefined;
  const readShort = (): Sectors => {
    const { first, size } = entries[0]!;
    const table = sectors.read(bytes.readUInt32LE(0x3c), bytes.length);
    return readShortSectors(sectors.read(first, size), table, SHORT_SECTOR_BYTES);
  };
  const childrenOf = (folder: string, type: number): readonly string[] =>
    paths.flatMap((path) => {
      const name = path.startsWith(folder) ? path.slice(folder.length) : '';
      return name !== '' && !name.includes('/') && byName.get(path)?.type === type ? [name] : [];
    });
  const under = (folder: string): CompoundFile => ({
    has: (name) => byName.has(folder + name.toLowerCase()),
    read: (name) => {
      const entry = byName.get(folder + name.toLowerCase());
      if (entry?.type !== STREAM) return null;
      if (entry.size >= longFrom) return sectors.read(entry.first, entry.size);
      short ??= readShort();
      return short.read(entry.first, entry.size);
    },
    get streams() {
      return childrenOf(folder, STREAM);
    },
    get storages() {
      return childrenOf(folder, STORAGE);
    },
    within: (storage) => under(`${folder}${storage.toLowerCase()}/`),
  });
  return under('');
};

/** Entries by path in lower case, from the tree of each storage ([MS-CFB] 2.6.4). */
const named = (entries: readonly Entry[]): ReadonlyMap<string, Entry> => {
  const found = new Map<string, Entry>();
  const seen = new Set<number>();
  const waiting = [{ number: entries[0]!.child, folder: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, folder } = next;
    const entry = number === NO_ENTRY || seen.has(number) ? undefined : entries[number];
    if (entry === undefined) continue;
    seen.add(number);
    const path = `${folder}${entry.name.toLowerCase()}`;
    if (!found.has(path)) found.set(path, entry);
    for (const sibling of entry.siblings) waiting.push({ number: sibling, folder });
    if (entry.type === STORAGE) waiting.push({ number: entry.child, folder: `${path}/` });
  }
  return found;
};

const readEntries = (directory: Buffer): readonly Entry[] =>
  Array.from({ length: Math.floor(directory.length / ENTRY_BYTES) }, (_, index) => {
    const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    return {
      name: entry.toString('utf16le', 0, Math.max(0, Math.min(entry.readUInt16LE(0x40), 64) - 2)),
      type: entry[0x42]!,
      siblings: [entry.readUInt32LE(0x44), entry.readUInt32LE(0x48)],
      child: entry.readUInt32LE(0x4c),
      first: entry.readUInt32LE(0x74),
      size: entry.readUInt32LE(0x78),
    };
  });

/** Whether the first sector of the directory is beyond the end: files are truncated at their end. */
const isCut = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return true;
  const sectorBytes = 2 ** bytes.readUInt16LE(0x1e);
  return (bytes.readUInt32LE(0x30) + 2) * sectorBytes > bytes.length || bytes.length % sectorBytes !== 0;
};

/** The sectors of a compound file ([MS-CFB] 2.2 to 2.5), linked to streams by chains of numbers. */
interface Sectors {
  /**
   * The bytes of a chain up to `size`, as far as a broken or truncated chain leads. Time and memory are bounded by the
   * request and by the file: a cyclic chain ends where it returns.
   */
  read(first: number, size: number): Buffer;
  /** Whether all sectors of the chain are present. */
  isWhole(first: number): boolean;
}

const LAST_REGULAR = 0xfffffffa;
const DIRECT_FAT_SECTORS = 109;

/** @throws {RangeError} when the header is truncated or invalid */
const readSectors = (bytes: Buffer): Sectors => {
  const shift = bytes.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) throw new RangeError('neither version 3 nor 4');
  const sectorBytes = 2 ** shift;
  const sector = (number: number): Buffer =>
    bytes.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes);
  const table = fatSectors(bytes, sector, sectorBytes);
  return chained(sector, sectorBytes, Math.ceil(bytes.length / sectorBytes), (number) => {
    const part = table[Math.floor((4 * number) / sectorBytes)];
    return part === undefined ? null : numberAt(sector(part), (4 * number) % sectorBytes);
  });
};

/** Short sectors of a stream, with a separate table ([MS-CFB] 2.4). */
const readShortSectors = (stream: Buffer, table: Buffer, sectorBytes: number): Sectors =>
  chained(
    (number) => stream.subarray(number * sectorBytes, (number + 1) * sectorBytes),
    sectorBytes,
    Math.ceil(stream.length / sectorBytes),
    (number) => numberAt(table, 4 * number),
  );

const chained = (
  sector: (number: number) => Buffer,
  sectorBytes: number,
  count: number,
  next: (number: number) => number | null,
): Sectors => {
  const follow = function* (first: number): Generator<number> {
    const seen = new Set<number>();
    for (let at: number | null = first; at !== null && at <= LAST_REGULAR && !seen.has(at); at = next(at)) {
      seen.add(at);
      yield at;
      // Sectors beyond the end have no successor.
      if (at >= count) return;
    }
  };
  return {
    read: (first, size) => {
      const parts: Buffer[] = [];
      let length = 0;
      for (const number of follow(first)) {
        if (length >= size) break;
        const part = sector(number);
        parts.push(part);
        length += part.length;
        if (part.length < sectorBytes) break;
      }
      return Buffer.concat(parts).subarray(0, size);
    },
    isWhole: (first) => {
      for (const number of follow(first)) if (sector(number).length < sectorBytes) return false;
      return true;
    },
  };
};

const numberAt = (part: Buffer, at: number): number | null =>
  at + 4 <= part.length ? part.readUInt32LE(at) : null;

/** Numbers of the sectors that contain the table: 109 in the header, others in separate sectors. */
const fatSectors = (
  bytes: Buffer,
  sector: (number: number) => Buffer,
  sectorBytes: number,
): readonly number[] => {
  const most = Math.ceil(bytes.length / sectorBytes);
  const found: number[] = [];
  const add = (part: Buffer, entries: number): void => {
    for (let index = 0; index < entries && found.length < most; index += 1) {
      const number = numberAt(part, 4 * index);
      if (number !== null && number <= LAST_REGULAR) found.push(number);
    }
  };
  add(bytes.subarray(0x4c), DIRECT_FAT_SECTORS);
  const perSector = sectorBytes / 4 - 1;
  let at = bytes.readUInt32LE(0x44);
  for (let step = 0; step < most && at <= LAST_REGULAR; step += 1) {
    const part = sector(at);
    add(part, perSector);
    at = numberAt(part, 4 * perSector) ?? LAST_REGULAR + 1;
  }
  return found;
};
