import { type Field, highestShares } from './bm25.ts';
import type { KeptOccurrences, Occurrences, PostingBlocks } from './postings.ts';

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
