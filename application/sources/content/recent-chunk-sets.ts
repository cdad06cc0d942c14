import type { Hash } from '../../ports/identity.ts';
import type { ChunkSet } from '../../../domain/chunking/chunk-set.ts';

/**
 * Cache of the chunk sets that this process wrote last, by the hash of their bytes. A projection reads them moments
 * later.
 */
export interface RecentChunkSets {
  readonly put: (sha256: string, chunkSet: ChunkSet) => void;
  readonly get: (sha256: string) => ChunkSet | undefined;
}

export const createRecentChunkSets = (most: number): RecentChunkSets => {
  const sets = new Map<string, ChunkSet>();
  return {
    put: (sha256, chunkSet) => {
      sets.delete(sha256);
      sets.set(sha256, chunkSet);
      const [oldest] = sets.keys();
      if (sets.size > most && oldest !== undefined) sets.delete(oldest);
    },
    get: (sha256) => sets.get(sha256),
  };
};

/** Packs chunk sets as they are stored, and caches each. */
export const cachingChunkSetWriter =
  (recent: RecentChunkSets, hash: Hash, pack: (chunkSet: ChunkSet) => Promise<Uint8Array>) =>
  async (chunkSet: ChunkSet): Promise<Uint8Array> => {
    const bytes = await pack(chunkSet);
    recent.put(hash.sha256(bytes), chunkSet);
    return bytes;
  };
