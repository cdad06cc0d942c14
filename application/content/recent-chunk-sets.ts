import type { ChunkSet } from './chunk-set.ts';

/** The chunk sets that this process wrote last, by the hash of their bytes: a projection asks for them moments later. */
export interface RecentChunkSets {
  readonly remember: (sha256: string, chunkSet: ChunkSet) => void;
  readonly recall: (sha256: string) => ChunkSet | undefined;
}

export const createRecentChunkSets = (most: number): RecentChunkSets => {
  const sets = new Map<string, ChunkSet>();
  return {
    remember: (sha256, chunkSet) => {
      sets.delete(sha256);
      sets.set(sha256, chunkSet);
      const [oldest] = sets.keys();
      if (sets.size > most && oldest !== undefined) sets.delete(oldest);
    },
    recall: (sha256) => sets.get(sha256),
  };
};
