import type { Hash } from '../../ports/identity.ts';
import { type ChunkSet, serialiseChunkSet } from '../../../domain/chunking/chunk-set.ts';

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

/** Writes chunk sets, and remembers each. */
export const rememberedWriting =
  (recent: RecentChunkSets, hash: Hash) =>
  (chunkSet: ChunkSet): string => {
    const text = serialiseChunkSet(chunkSet);
    recent.remember(hash.sha256(text), chunkSet);
    return text;
  };
