import { type Place, createByteWriter, readVarint } from './byte-writer.ts';
import { NO_POSTINGS, type Postings, packStatistics } from './postings.ts';
import { bytesOfBlocks } from './term-blocks.ts';

/** What several caches may hold together. Whoever asked for nothing of them lately is forgotten first. */
export interface CacheBudget {
  /** @param age drops what nobody asked for since the last call */
  readonly join: (age: () => void) => void;
  /** So many bytes were asked for again, or added; fewer than none: dropped. */
  readonly take: (bytes: number) => void;
}

/** What was asked for since the last ageing, and what between that and the one before, has a half of the bytes each. */
export const createCacheBudget = (maxBytes: number): CacheBudget => {
  const caches: (() => void)[] = [];
  let recent = 0;
  return {
    join: (age) => void caches.push(age),
    take: (bytes) => {
      recent += bytes;
      if (recent <= maxBytes / 2) return;
      recent = 0;
      for (const age of caches) age();
    },
  };
};

/**
 * What is known of terms in segments, in memory. Nothing of a segment ever changes, and a merge makes a segment with
 * another number: nothing is invalidated, but what is known of a segment that is gone is dropped.
 */
export interface SegmentCache<Known> {
  /** Those of these terms of this segment that are known; a map of the caller's own. */
  readonly get: (key: string, terms: Iterable<string>) => Map<string, Known>;
  readonly add: (key: string, term: string, known: Known) => void;
  /**
   * Drops the segments that are gone. Does nothing where the group was in the same state at the last call.
   *
   * @param group of segments that change together
   */
  readonly retain: (group: string, state: string, isGone: (key: string) => boolean) => void;
}

/** By segment. */
type Generation<Known> = Map<string, { bytes: number; readonly terms: Map<string, Known> }>;

/** @param bytesOf what one takes, its place in the cache included */
export const createSegmentCache = <Known>(
  budget: CacheBudget,
  bytesOf: (known: Known) => number,
): SegmentCache<Known> => {
  const states = new Map<string, string>();
  let [recent, older]: [Generation<Known>, Generation<Known>] = [new Map(), new Map()];
  budget.join(() => {
    [recent, older] = [new Map(), recent];
  });
  const add = (key: string, term: string, known: Known): void => {
    const segment = recent.get(key) ?? { bytes: 0, terms: new Map<string, Known>() };
    recent.set(key, segment);
    const before = segment.terms.get(term);
    const bytes = bytesOf(known) - (before === undefined ? 0 : bytesOf(before));
    segment.terms.set(term, known);
    segment.bytes += bytes;
    budget.take(bytes);
  };
  return {
    get: (key, terms) => {
      const found = new Map<string, Known>();
      for (const term of terms) {
        let known = recent.get(key)?.terms.get(term);
        if (known === undefined) {
          const before = older.get(key)?.terms;
          known = before?.get(term);
          if (known === undefined) continue;
          before?.delete(term);
          add(key, term, known);
        }
        found.set(term, known);
      }
      return found;
    },
    add,
    retain: (group, state, isGone) => {
      if (states.get(group) === state) return;
      states.set(group, state);
      for (const generation of [recent, older]) {
        for (const [key, { bytes }] of generation) {
          if (!isGone(key)) continue;
          generation.delete(key);
          if (generation === recent) budget.take(-bytes);
        }
      }
    },
  };
};

/** The documents of a segment, in order. */
export interface SegmentDocuments {
  /** Their numbers, less the first number of the segment. */
  readonly offsets: Uint32Array;
  /** Lengths of text and title, as `packStatistics` has them. */
  readonly lengths: Int32Array;
  /** Ids of their contents, 16 bytes each. */
  readonly ids: Uint8Array;
}

export const ID_BYTES = 16;

/** For each document the way from the one before and both lengths; behind them the ids. */
export const packDocuments = ({ offsets, lengths, ids }: SegmentDocuments): Uint8Array => {
  const to = createByteWriter(offsets.length * (ID_BYTES + 5) + 16);
  to.varint(offsets.length);
  let last = 0;
  for (const [i, offset] of offsets.entries()) {
    to.varint(offset - last);
    last = offset;
    const packed = lengths[i] as number;
    to.varint((packed >> 7) & 8191);
    to.varint(packed >> 23);
  }
  to.bytes(ids, 0, ids.length);
  return to.take();
};

export const unpackDocuments = (bytes: Uint8Array): SegmentDocuments => {
  const place: Place = { at: 0 };
  const count = readVarint(bytes, place);
  const offsets = new Uint32Array(count);
  const lengths = new Int32Array(count);
  let offset = 0;
  for (let i = 0; i < count; i++) {
    offset += readVarint(bytes, place);
    offsets[i] = offset;
    const text = readVarint(bytes, place);
    lengths[i] = packStatistics(0, text, 0, readVarint(bytes, place));
  }
  // A copy: of a Buffer, `slice` would keep all that came over the wire.
  return { offsets, lengths, ids: new Uint8Array(bytes.subarray(place.at)) };
};

/** The place of the document with that number, less the first of its segment; -1 for none. */
export const documentAt = ({ offsets }: Pick<SegmentDocuments, 'offsets'>, offset: number): number => {
  let [low, high] = [0, offsets.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = offsets[middle] as number;
    if (there === offset) return middle;
    if (there < offset) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

/** Postings in memory. */
export type PostingCache = SegmentCache<Postings>;

/**
 * What postings take beside their numbers, about, measured on Node 24: an entry of a map; four objects with two arrays each,
 * and a buffer for each array of more than 64 bytes.
 */
const [ENTRY_BYTES, ARRAYS_BYTES, LARGE_BYTES] = [60, 300, 400];

const bytesOf = (postings: Postings): number => {
  if (postings === NO_POSTINGS) return ENTRY_BYTES;
  const { offsets, statistics, titles, bits } = postings;
  return [offsets, statistics, titles.offsets, titles.statistics, bits].reduce(
    (sum, array) => sum + (array?.byteLength ?? 0),
    ENTRY_BYTES +
      (titles.offsets.length > 0 ? 2 : 1) * ARRAYS_BYTES +
      (offsets.length > 16 ? LARGE_BYTES : 0) +
      bytesOfBlocks(offsets) +
      bytesOfBlocks(titles.offsets),
  );
};

export const createPostingCache = (budget: CacheBudget): PostingCache => createSegmentCache(budget, bytesOf);
