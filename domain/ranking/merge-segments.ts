import { createByteWriter } from './byte-writer.ts';
import { createPostingPacker, forEachPacked } from './packed-postings.ts';
import { frequencyOf, titleFrequencyOf } from './postings.ts';
import { ID_BYTES, type SegmentDocuments } from './segment-cache.ts';
import { type Counts, type TermEntry, entriesOf } from './term-blocks.ts';

/** A segment to be merged. */
export interface MergedSegment {
  readonly firstNo: number;
  readonly documents: SegmentDocuments;
  readonly blocks: readonly Uint8Array[];
}

/** The documents of neighbours as one, without those that are dropped, and where each went; -1 for a dropped one. */
export const mergeDocuments = (
  segments: readonly Pick<MergedSegment, 'firstNo' | 'documents'>[],
  isDropped: (no: number) => boolean,
) => {
  const firstNo = segments[0]?.firstNo ?? 0;
  const count = segments.reduce((sum, { documents }) => sum + documents.offsets.length, 0);
  const offsets = new Uint32Array(count);
  const lengths = new Int32Array(count);
  const ids = new Uint8Array(count * ID_BYTES);
  let next = 0;
  const places = segments.map(({ firstNo: first, documents }) =>
    Int32Array.from(documents.offsets, (offset, i) => {
      if (isDropped(first + offset)) return -1;
      offsets[next] = first - firstNo + offset;
      lengths[next] = documents.lengths[i] as number;
      ids.set(documents.ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES), next * ID_BYTES);
      return next++;
    }),
  );
  const documents: SegmentDocuments = {
    offsets: offsets.slice(0, next),
    lengths: lengths.slice(0, next),
    ids: ids.slice(0, next * ID_BYTES),
  };
  return { documents, places };
};

/** A term of the merged segment, and its counts before: the difference is what was dropped. */
export interface MergedTerm {
  readonly before: Counts & { readonly term: string };
  /** Null where nothing is left of it. Its bytes are valid until the next term. */
  readonly entry: TermEntry | null;
}

/**
 * The terms of all these segments, in order, with the postings of each one after the other.
 *
 * @param segments in the order of their documents
 * @param places of their documents in the merged segment; -1 for those that are dropped
 */
export const mergeTerms = function* (
  segments: readonly Pick<MergedSegment, 'blocks'>[],
  places: readonly Int32Array[],
): Generator<MergedTerm> {
  const lists = segments.map(({ blocks }) => entriesOfAll(blocks));
  const heads = lists.map((list) => list.next().value ?? null);
  const writer = createByteWriter();
  const packer = createPostingPacker(writer);
  for (;;) {
    const term = least(heads);
    if (term === null) return;
    const before = { term, df: 0, titleDf: 0, cf: 0 };
    const kept = { df: 0, titleDf: 0, cf: 0 };
    packer.begin();
    for (const [i, head] of heads.entries()) {
      if (head === null || head.term !== term) continue;
      before.df += head.df;
      before.titleDf += head.titleDf;
      before.cf += head.cf;
      const to = places[i] as Int32Array;
      forEachPacked(head.bytes, head.from, head.to, (document, packed) => {
        const place = to[document] as number;
        if (place < 0) return;
        packer.add(place, packed);
        kept.df += 1;
        kept.titleDf += titleFrequencyOf(packed) > 0 ? 1 : 0;
        kept.cf += frequencyOf(packed);
      });
      heads[i] = lists[i]?.next().value ?? null;
    }
    const bytes = writer.take();
    yield { before, entry: kept.df === 0 ? null : { term, ...kept, bytes, from: 0, to: bytes.length } };
  }
};

const entriesOfAll = function* (blocks: readonly Uint8Array[]): Generator<TermEntry, undefined> {
  for (const block of blocks) yield* entriesOf(block);
};

const least = (heads: readonly (TermEntry | null)[]): string | null => {
  let term: string | null = null;
  for (const head of heads) if (head !== null && (term === null || head.term < term)) term = head.term;
  return term;
};

/** As many neighbours of about one size are merged. */
export const FAN_IN = 8;
/** Contents of the greatest segment that a merge makes, so that it takes seconds at most. */
const LARGEST = 32_768;
/** Share of dead contents from which a segment is rewritten alone. */
const DEAD_SHARE = 0.2;

/** A segment as far as merging looks at it. */
export interface MergeCandidate {
  readonly segment: number;
  readonly contents: number;
  /** Among its contents. */
  readonly dead: number;
  /** Whether one of them has been dead for so long that its words must leave the index, however few they are. */
  readonly overdue?: boolean;
}

/**
 * Which neighbouring segments to merge next: among at least FAN_IN small ones in a row, those that are together most times
 * as large as the largest of them; else a segment of which a fifth is dead or one is overdue. So each content is rewritten a few times over
 * its life, and the number of segments stays bounded (O'Neil et al., "The log-structured merge-tree", 1996).
 *
 * @param segments of one tenant in the order of their contents
 */
export const chooseMerge = (
  segments: readonly MergeCandidate[],
  limit: number,
): readonly MergeCandidate[] => {
  for (let bound = FAN_IN; bound <= LARGEST; bound *= FAN_IN) {
    for (const run of runsBelow(bound, segments)) {
      const chosen = run.length < FAN_IN ? [] : mostAlike(run, Math.max(limit, FAN_IN));
      if (chosen.length > 0) return chosen;
    }
  }
  const decayed = segments.find(
    ({ contents, dead, overdue }) => overdue === true || (dead > 0 && dead >= contents * DEAD_SHARE),
  );
  return decayed === undefined ? [] : [decayed];
};

/** Longest runs of neighbours with fewer contents than that. */
const runsBelow = (
  bound: number,
  segments: readonly MergeCandidate[],
): readonly (readonly MergeCandidate[])[] => {
  const runs: MergeCandidate[][] = [[]];
  for (const segment of segments) {
    if (segment.contents < bound) runs.at(-1)?.push(segment);
    else runs.push([]);
  }
  return runs;
};

/** Two neighbours at least that fit into one segment, whose contents are most times those of the largest; else none. */
const mostAlike = (run: readonly MergeCandidate[], limit: number): readonly MergeCandidate[] => {
  let [chosen, most]: [readonly MergeCandidate[], number] = [[], 0];
  for (const start of run.keys()) {
    let [contents, largest] = [0, 1];
    for (const [i, segment] of run.slice(start, start + limit).entries()) {
      contents += segment.contents;
      largest = Math.max(largest, segment.contents);
      if (contents > LARGEST) break;
      if (i === 0 || contents / largest <= most) continue;
      most = contents / largest;
      chosen = run.slice(start, start + i + 1);
    }
  }
  return chosen;
};
