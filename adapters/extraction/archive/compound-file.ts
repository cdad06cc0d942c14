import { createRequire } from 'node:module';
import { ExtractionFailure } from '../extraction-failure.ts';

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly content?: Uint8Array | readonly number[];
}
interface Library {
  readonly CFB: {
    read(
      bytes: Buffer,
      options: { readonly type: 'buffer' },
    ): {
      readonly FileIndex: readonly Entry[];
      readonly FullPaths: readonly string[];
    };
  };
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
export const isCompoundFile = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE);

/** A compound file of streams by name ([MS-CFB]): what office files were before 2007. */
export interface CompoundFile {
  /** Of the root storage, whatever the case of the name. */
  has(name: string): boolean;
  /** A stream of the root storage, or of storages within it, separated by slashes; null where there is none. */
  read(name: string): Buffer | null;
}

/** @throws {ExtractionFailure} `truncated` where sectors are missing at the end, `parser_failed` */
export const openCompoundFile = (bytes: Buffer): CompoundFile => {
  const { CFB } = createRequire(import.meta.url)('@e965/xlsx') as Library;
  const streams = new Map<string, Entry>();
  try {
    const { FileIndex, FullPaths } = CFB.read(bytes, { type: 'buffer' });
    for (const [index, path] of FullPaths.entries()) {
      // The first segment is the root, whatever its name.
      const name = path
        .slice(path.indexOf('/') + 1)
        .replace(/\/$/, '')
        .toLowerCase();
      const entry = FileIndex[index];
      if (entry !== undefined && !streams.has(name)) streams.set(name, entry);
    }
  } catch (error) {
    throw isCut(bytes)
      ? new ExtractionFailure('truncated', 'it breaks off: sectors of it are missing', { cause: error })
      : new ExtractionFailure('parser_failed', 'its directory of streams is broken', { cause: error });
  }
  return {
    has: (name) => streams.has(name.toLowerCase()),
    read: (name) => {
      const content = streams.get(name.toLowerCase())?.content;
      return content === undefined ? null : Buffer.from(content as Uint8Array);
    },
  };
};

/** Whether the first sector of the directory lies beyond the end: files are cut at their end. */
const isCut = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return true;
  const sectorBytes = 2 ** bytes.readUInt16LE(0x1e);
  return (bytes.readUInt32LE(0x30) + 2) * sectorBytes > bytes.length || bytes.length % sectorBytes !== 0;
};
