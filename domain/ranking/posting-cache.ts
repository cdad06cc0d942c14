import type { Postings } from './postings.ts';

/**
 * Postings in memory. Those of a segment never change, and a merge makes a segment with another number: there is
 * nothing to invalidate.
 */
export interface PostingCache {
  /** The terms of this segment that are known. */
  readonly of: (key: string) => ReadonlyMap<string, Postings>;
  readonly add: (key: string, term: string, postings: Postings) => void;
}

/** What a term takes beside its numbers, about. */
const ENTRY_BYTES = 250;

const bytesOf = ({ offsets, statistics, titles, bits }: Postings): number =>
  [offsets, statistics, titles.offsets, titles.statistics, bits].reduce(
    (sum, array) => sum + (array?.byteLength ?? 0),
    ENTRY_BYTES,
  );

/** At most `mostBytes` in all, but for what one search needs; the segment that was not asked for longest goes first. */
export const createPostingCache = (mostBytes: number): PostingCache => {
  const kept = new Map<string, { bytes: number; readonly terms: Map<string, Postings> }>();
  let total = 0;
  const used = (key: string) => {
    const segment = kept.get(key) ?? { bytes: 0, terms: new Map<string, Postings>() };
    kept.delete(key);
    kept.set(key, segment);
    return segment;
  };
  const makeRoom = (except: string): void => {
    for (const [key, { bytes }] of kept) {
      if (total <= mostBytes) return;
      if (key === except) continue;
      kept.delete(key);
      total -= bytes;
    }
  };
  return {
    of: (key) => used(key).terms,
    add: (key, term, postings) => {
      const segment = used(key);
      if (segment.terms.has(term)) return;
      const bytes = bytesOf(postings);
      segment.terms.set(term, postings);
      segment.bytes += bytes;
      total += bytes;
      makeRoom(key);
    },
  };
};
