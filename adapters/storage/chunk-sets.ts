import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import {
  type ChunkSet,
  ChunkSetUnreadable,
  parseChunkSet,
  serialiseChunkSet,
} from '../../domain/chunking/chunk-set.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** RFC 8878 section 3.1.1. JSON begins with a brace. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The bytes of a chunk set as they are stored: its JSON, compressed with zstd. Equal sets give equal bytes. */
export const packChunkSet = (set: ChunkSet): Promise<Uint8Array> => {
  const json = Buffer.from(serialiseChunkSet(set));
  // With its length known, a short text takes an eighth of the time.
  return compress(json, { pledgedSrcSize: json.length });
};

/**
 * Reads a stored chunk set; those of earlier versions are plain JSON.
 *
 * @throws {ChunkSetUnreadable}
 */
export const unpackChunkSet = async (bytes: Uint8Array): Promise<ChunkSet> => {
  const isPacked = MAGIC.equals(bytes.subarray(0, MAGIC.length));
  const json = isPacked ? await decompress(bytes).catch(unreadable) : bytes;
  return parseChunkSet(new TextDecoder().decode(json));
};

const unreadable = (cause: unknown): never => {
  throw new ChunkSetUnreadable('not zstd', { cause });
};
