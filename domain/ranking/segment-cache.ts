/**
 * What is known of terms in segments, in memory. Nothing of a segment ever changes, and a merge makes a segment with
 * another number: there is nothing to invalidate.
 */
export interface SegmentCache<Known> {
  /** The terms of this segment that are known. */
  readonly of: (key: string) => ReadonlyMap<string, Known>;
  readonly add: (key: string, term: string, known: Known) => void;
}

/** At most `mostBytes` in all, but for what one search needs; the segment that was not asked for longest goes first. */
export const createSegmentCache = <Known>(
  mostBytes: number,
  bytesOf: (known: Known) => number,
): SegmentCache<Known> => {
  const kept = new Map<string, { bytes: number; readonly terms: Map<string, Known> }>();
  let total = 0;
  const used = (key: string) => {
    const segment = kept.get(key) ?? { bytes: 0, terms: new Map<string, Known>() };
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
    add: (key, term, known) => {
      const segment = used(key);
      if (segment.terms.has(term)) return;
      const bytes = bytesOf(known);
      segment.terms.set(term, known);
      segment.bytes += bytes;
      total += bytes;
      makeRoom(key);
    },
  };
};
