import { bytesOfBlocks } from './posting-blocks.ts';
import type { Postings } from './postings.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';

/** Postings in memory. */
export type PostingCache = SegmentCache<Postings>;

/** What a term takes beside its numbers, about. */
const ENTRY_BYTES = 250;

const bytesOf = ({ offsets, statistics, titles, bits }: Postings): number =>
  [offsets, statistics, titles.offsets, titles.statistics, bits].reduce(
    (sum, array) => sum + (array?.byteLength ?? 0),
    ENTRY_BYTES + bytesOfBlocks(offsets) + bytesOfBlocks(titles.offsets),
  );

export const createPostingCache = (mostBytes: number): PostingCache => createSegmentCache(mostBytes, bytesOf);
