import { createRecentlyUsed, type RecentlyUsed } from '../../event-sourcing/recently-used.ts';
import type { Hash } from '../../ports/identity.ts';
import type { ChunkSet } from '../../../domain/chunking/chunk-set.ts';

/**
 * Cache of the chunk sets that this process wrote last, by the hash of their bytes. A projection reads them moments
 * later.
 */
export type RecentChunkSets = RecentlyUsed<ChunkSet>;
export const createRecentChunkSets = (most: number): RecentChunkSets => createRecentlyUsed(most);

/** Packs chunk sets as they are stored, and caches each. */
export const cachingChunkSetWriter =
  (recent: RecentChunkSets, hash: Hash, pack: (chunkSet: ChunkSet) => Promise<Uint8Array>) =>
  async (chunkSet: ChunkSet): Promise<Uint8Array> => {
    const bytes = await pack(chunkSet);
    recent.put(hash.sha256(bytes), chunkSet);
    return bytes;
  };
