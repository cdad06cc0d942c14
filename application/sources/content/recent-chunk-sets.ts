import type { Hash } from '../../ports/identity.ts';
import { type ChunkSet, serialiseChunkSet } from '../../../domain/chunking/chunk-set.ts';

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

/** Serialises chunk sets and caches each. */
export const cachingChunkSetWriter =
  (recent: RecentChunkSets, hash: Hash) =>
  (chunkSet: ChunkSet): string => {
    const text = serialiseChunkSet(chunkSet);
    recent.put(hash.sha256(text), chunkSet);
    return text;
  };
