import { type Place, createByteWriter, readVarint } from './byte-writer.ts';
import { type Postings, packStatistics } from './postings.ts';
import { bytesOfBlocks } from './term-blocks.ts';

/**
 * What is known of terms in segments, in memory. Nothing of a segment ever changes, and a merge makes a segment with
 * another number: nothing is invalidated, but what is known of a segment that is gone is dropped.
 */
export interface SegmentCache<Known> {
  /** The terms of this segment that are known. */
  readonly of: (key: string) => ReadonlyMap<string, Known>;
  readonly add: (key: string, term: string, known: Known) => void;
  /**
   * Drops the segments that are gone. Does nothing where the group was in the same state at the last call.
   *
   * @param group of segments that change together
   */
  readonly retain: (group: string, state: string, isGone: (key: string) => boolean) => void;
}

/** At most `maxBytes` in all, but for what one search needs; the segment that was not asked for longest goes first. */
export const createSegmentCache = <Known>(
  maxBytes: number,
  bytesOf: (known: Known) => number,
): SegmentCache<Known> => {
  const kept = new Map<string, { bytes: number; readonly terms: Map<string, Known> }>();
  const states = new Map<string, string>();
  let total = 0;
  const used = (key: string) => {
    const segment = kept.get(key) ?? { bytes: 0, terms: new Map<string, Known>() };
    kept.delete(key);
    kept.set(key, segment);
    return segment;
  };
  const makeRoom = (except: string): void => {
    for (const [key, { bytes }] of kept) {
      if (total <= maxBytes) return;
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
    retain: (group, state, isGone) => {
      if (states.get(group) === state) return;
      states.set(group, state);
      for (const [key, { bytes }] of kept) {
        if (!isGone(key)) continue;
        kept.delete(key);
        total -= bytes;
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

/** What a term takes beside its numbers, about. */
const ENTRY_BYTES = 250;

const bytesOf = ({ offsets, statistics, titles, bits }: Postings): number =>
  [offsets, statistics, titles.offsets, titles.statistics, bits].reduce(
    (sum, array) => sum + (array?.byteLength ?? 0),
    ENTRY_BYTES + bytesOfBlocks(offsets) + bytesOfBlocks(titles.offsets),
  );

export const createPostingCache = (maxBytes: number): PostingCache => createSegmentCache(maxBytes, bytesOf);
