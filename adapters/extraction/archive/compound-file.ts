import { ExtractionFailure } from '../extraction-failure.ts';
import { readSectors, readShortSectors, type Sectors } from './sectors.ts';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
export const isCompoundFile = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE);

/** A compound file of streams by name ([MS-CFB]): what office files were before 2007. */
export interface CompoundFile {
  /** Of the root storage, whatever the case of the name. */
  has(name: string): boolean;
  /**
   * A stream of the root storage, or of storages within it, separated by slashes; null where there is none. What there is
   * of one that breaks off.
   */
  read(name: string): Buffer | null;
  /** Names of the streams that it holds, in lower case. */
  readonly streams: readonly string[];
  /** Names of the storages that it holds, in lower case. */
  readonly storages: readonly string[];
  /** A storage as a compound file of its own: programs keep embedded documents like that. */
  within(storage: string): CompoundFile;
}

const STORAGE = 1;
const STREAM = 2;
const ENTRY_BYTES = 128;
const NO_ENTRY = 0xffffffff;
/** Office programs write some dozens. */
const MOST_ENTRIES = 20_000;
const SHORT_SECTOR_BYTES = 64;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly siblings: readonly number[];
  readonly child: number;
  readonly first: number;
  readonly size: number;
}

/**
 * @param source bytes, or what was opened before
 * @throws {ExtractionFailure} `truncated` where sectors are missing at the end, `parser_failed`
 */
export const openCompoundFile = (source: Buffer | CompoundFile): CompoundFile =>
  Buffer.isBuffer(source) ? openBytes(source) : source;

const openBytes = (bytes: Buffer): CompoundFile => {
  try {
    const sectors = readSectors(bytes);
    const start = bytes.readUInt32LE(0x30);
    if (!sectors.isWhole(start)) throw new RangeError('its directory breaks off');
    const entries = readEntries(sectors.read(start, MOST_ENTRIES * ENTRY_BYTES));
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

/** Of a copy: entries may name the same bytes again and again. */
const MOST_COPIED_ENTRIES = 5_000;
const MOST_COPIED_BYTES = 256 * 1_024 ** 2;

/**
 * The file written anew, for libraries that follow any chain of sectors, with or without an end.
 *
 * @param without storages whose names match
 * @throws {ExtractionFailure} `too_large`
 */
export const rewrittenFile = async (file: CompoundFile, without: RegExp): Promise<Buffer> => {
  const { CFB } = await import('@e965/xlsx');
  const copy = CFB.utils.cfb_new();
  let [entries, bytes] = [0, 0];
  const count = (size: number): void => {
    entries += 1;
    bytes += size;
    if (entries > MOST_COPIED_ENTRIES || bytes > MOST_COPIED_BYTES)
      throw new ExtractionFailure('too_large', 'its streams are too many or too long');
  };
  const add = (holder: CompoundFile, folder: string): void => {
    for (const name of holder.streams) {
      const content = holder.read(name)!;
      count(content.length);
      CFB.utils.cfb_add(copy, `${folder}${name}`, content);
    }
    for (const name of holder.storages) {
      count(0);
      if (!without.test(name)) add(holder.within(name), `${folder}${name}/`);
    }
  };
  add(file, '/');
  return Buffer.from(CFB.write(copy, { type: 'buffer' }) as Uint8Array);
};

/** By their paths in lower case, from the tree of each storage ([MS-CFB] 2.6.4). */
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

/** Whether the first sector of the directory lies beyond the end: files are cut at their end. */
const isCut = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return true;
  const sectorBytes = 2 ** bytes.readUInt16LE(0x1e);
  return (bytes.readUInt32LE(0x30) + 2) * sectorBytes > bytes.length || bytes.length % sectorBytes !== 0;
};
