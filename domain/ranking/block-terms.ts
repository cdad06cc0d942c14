import type { AddTermScores, Field, LengthNormalisation } from './bm25.ts';
import { blocksOf } from './posting-blocks.ts';
import { NO_POSTINGS, type PostingBlocks } from './postings.ts';
import type { SlottedPostings, TermPostings } from './segment-slots.ts';

/** Postings of a term in one segment, which can be entered at each block of 32 slots. */
interface BlockPostings extends SlottedPostings {
  readonly blocks: PostingBlocks;
}

/** A term in one field. */
export interface BlockTerm {
  readonly weight: number;
  /** Segment by segment; null where no content of it has the term. */
  readonly parts: readonly (BlockPostings | null)[];
}

/** @param starts the first slot of each segment @param postings of each segment */
export const blockTerm = (
  term: string,
  weight: number,
  field: Field,
  lengths: LengthNormalisation,
  starts: readonly number[],
  postings: readonly TermPostings[],
): BlockTerm => ({
  weight,
  parts: starts.map((start, i) => {
    const all = postings[i]?.get(term) ?? NO_POSTINGS;
    const of = field === 'text' ? all : all.titles;
    const { offsets: slots, statistics } = of;
    if (slots.length === 0) return null;
    const blocks = blocksOf(of, field, perLengthOf(field, lengths));
    return { start, slots, statistics, bits: field === 'text' ? all.bits : null, blocks };
  }),
});

const perLengthOf = (field: Field, { perTextLength, perTitleLength }: LengthNormalisation): number =>
  field === 'text' ? perTextLength : perTitleLength;

/** Adds to each block the most that the term adds to the score of one of its slots. */
export const addBounds = (
  bounds: Float64Array,
  { weight, parts }: BlockTerm,
  field: Field,
  lengths: LengthNormalisation,
): void => {
  const perLength = perLengthOf(field, lengths);
  for (const part of parts) {
    if (part === null) continue;
    const { highest, blocks, perLength: before } = part.blocks;
    const first = part.start >>> 5;
    // Where lengths count less than when the blocks were made, a share is greater, by as much at most.
    const by = (weight * Math.max(1, before / perLength)) / 255;
    for (let i = 0; i < highest.length; i++) {
      const at = first + (blocks === null ? i : (blocks[i] as number));
      bounds[at] = (bounds[at] as number) + by * (highest[i] as number);
    }
  }
};

/** Adds the scores of the terms, in their order, to the slots of one block. @param block within its segment */
export const addInBlock = (
  sums: Float64Array,
  terms: readonly BlockTerm[],
  add: AddTermScores,
  lengths: LengthNormalisation,
  segment: number,
  block: number,
): void => {
  for (const { weight, parts } of terms) {
    const of = parts[segment] ?? null;
    if (of === null) continue;
    const from = firstIn(of, block);
    const to = endOf(of, block, from);
    if (from < to) add(sums, of, weight, lengths, from, to);
  }
};

/** The first posting that is in the block or behind it. */
const firstIn = ({ slots, blocks: { starts } }: BlockPostings, block: number): number => {
  if (starts !== null) return starts[Math.min(block, starts.length - 1)] as number;
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as number) < block * 32) low = middle + 1;
    else high = middle;
  }
  return low;
};

const endOf = ({ slots, blocks: { starts } }: BlockPostings, block: number, from: number): number => {
  if (starts !== null) return starts[Math.min(block + 1, starts.length - 1)] as number;
  let end = from;
  while (end < slots.length && (slots[end] as number) < (block + 1) * 32) end += 1;
  return end;
};
