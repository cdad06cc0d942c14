import { type Field, highestShares } from './bm25.ts';
import { type Place, createByteWriter, readVarint } from './byte-writer.ts';
import type { KeptOccurrences, Occurrences, PostingBlocks } from './postings.ts';

/** In how many contents of a segment a term occurs, in how many of their titles, and how often in all. */
export interface Counts {
  readonly df: number;
  readonly titleDf: number;
  readonly cf: number;
}

/** What a segment says of a term: its counts, and where in a block its packed postings are. */
export interface TermEntry extends Counts {
  readonly term: string;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Bytes of a block, about: what is read to look a term up. A term with more has a block of its own. */
const BLOCK = 7_000;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

export interface Block {
  readonly first: string;
  readonly bytes: Uint8Array;
}

/**
 * Packs the terms of a segment into blocks: the length of a text, that text, which has the terms, a line each; then df,
 * titleDf, cf less df, and the length of its postings for each; then these postings.
 *
 * @param finished takes the blocks in order
 */
export const createBlockPacker = (finished: (block: Block) => void) => {
  let terms: string[] = [];
  const [counts, postings, block] = [createByteWriter(), createByteWriter(BLOCK), createByteWriter(BLOCK)];
  let size = 0;
  const finish = (): void => {
    const [first] = terms;
    if (first === undefined) return;
    const text = ENCODER.encode(terms.join('\n'));
    block.varint(text.length);
    block.bytes(text, 0, text.length);
    for (const part of [counts.take(), postings.take()]) block.bytes(part, 0, part.length);
    finished({ first, bytes: block.take() });
    terms = [];
    size = 0;
  };
  return {
    /** Terms come in ascending order, by UTF-16 units. */
    add: ({ term, df, titleDf, cf, bytes, from, to }: TermEntry): void => {
      const length = to - from;
      if (length > BLOCK) finish();
      terms.push(term);
      for (const count of [df, titleDf, cf - df, length]) counts.varint(count);
      postings.bytes(bytes, from, to);
      size += term.length + length + 5;
      if (size > BLOCK) finish();
    },
    finish,
  };
};

/** Its terms, in order, one by one. */
export const entriesOf = function* (bytes: Uint8Array): Generator<TermEntry> {
  const place: Place = { at: 0 };
  const terms = textOf(bytes, place).split('\n');
  const counts: number[] = [];
  for (let i = 0; i < 4 * terms.length; i++) counts.push(readVarint(bytes, place));
  let from = place.at;
  for (const [i, term] of terms.entries()) {
    const [df, titleDf, more, length] = [0, 1, 2, 3].map((k) => counts[4 * i + k] ?? 0) as Numbers;
    yield { term, df, titleDf, cf: df + more, bytes, from, to: from + length };
    from += length;
  }
};
type Numbers = [number, number, number, number];

/** What the block says of the term; null where it has no such term. */
export const entryIn = (bytes: Uint8Array, term: string): TermEntry | null => {
  const place: Place = { at: 0 };
  const text = `\n${textOf(bytes, place)}\n`;
  const start = text.indexOf(`\n${term}\n`);
  if (start < 0) return null;
  let [nth, all] = [0, 0];
  for (let at = text.indexOf('\n'); at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    if (at < start) nth += 1;
    all += 1;
  }
  let [found, before] = [{ df: 0, titleDf: 0, cf: 0, length: 0 }, 0];
  for (let i = 0; i < all; i++) {
    const [df, titleDf] = [readVarint(bytes, place), readVarint(bytes, place)];
    const cf = df + readVarint(bytes, place);
    const length = readVarint(bytes, place);
    if (i < nth) before += length;
    else if (i === nth) found = { df, titleDf, cf, length };
  }
  const from = place.at + before;
  const { df, titleDf, cf, length } = found;
  return { term, df, titleDf, cf, bytes, from, to: from + length };
};

const textOf = (bytes: Uint8Array, place: Place): string => {
  const length = readVarint(bytes, place);
  place.at += length;
  return DECODER.decode(bytes.subarray(place.at - length, place.at));
};

/** The block that has the term if any has; -1 where all begin after it. @param firsts of the blocks, ascending */
export const blockWith = (firsts: readonly string[], term: string): number => {
  let [low, high] = [0, firsts.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] as string) <= term) low = middle + 1;
    else high = middle - 1;
  }
  return high;
};

/** Blocks for each posting from which on only those are listed that have some. */
const LISTED_FROM = 2;
/** Bytes that a block takes at most. */
const BLOCK_BYTES = 5;
/** How much more or less lengths may count, in shares of what they did, before blocks are made again. */
const DRIFT = 0.05;

const blocksUpTo = (offsets: Uint32Array): number =>
  offsets.length === 0 ? 0 : ((offsets[offsets.length - 1] as number) >>> 5) + 1;

/** What blocks of these postings take in memory once they are made, at most. */
export const bytesOfBlocks = (offsets: Uint32Array): number =>
  BLOCK_BYTES * Math.min(blocksUpTo(offsets), LISTED_FROM * offsets.length);

/** Their blocks, which are kept with them. @param perLength see `LengthNormalisation` */
export const blocksOf = (of: KeptOccurrences, field: Field, perLength: number): PostingBlocks => {
  const { blocks } = of.kept;
  if (blocks !== null && Math.abs(perLength / blocks.perLength - 1) <= DRIFT) return blocks;
  return (of.kept.blocks = made(of, field, perLength));
};

const made = (of: Occurrences, field: Field, perLength: number): PostingBlocks => {
  const { offsets } = of;
  const count = blocksUpTo(offsets);
  if (count > LISTED_FROM * offsets.length) {
    const [blocks, highest]: [number[], number[]] = [[], []];
    highestShares(of, field, perLength, (block, share) => {
      blocks.push(block);
      highest.push(Math.ceil(share * 255));
    });
    return { blocks: Uint32Array.from(blocks), highest: Uint8Array.from(highest), starts: null, perLength };
  }
  const highest = new Uint8Array(count);
  highestShares(of, field, perLength, (block, share) => {
    highest[block] = Math.ceil(share * 255);
  });
  const starts = new Uint32Array(count + 1);
  let at = 0;
  for (let block = 0; block < count; block++) {
    starts[block] = at;
    while (at < offsets.length && (offsets[at] as number) < (block + 1) * 32) at += 1;
  }
  starts[count] = at;
  return { blocks: null, highest, starts, perLength };
};
