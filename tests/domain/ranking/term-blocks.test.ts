import { describe, expect, it } from 'vitest';
import { createBlockPacker, entriesOf } from '../../../domain/ranking/term-blocks.ts';

const BLOCK = 7_000;
/** The terms of each block, of terms with postings of so many bytes. */
const blocksOf = (...terms: readonly (readonly [string, number])[]): readonly string[] => {
  const blocks: string[] = [];
  const { add, finish } = createBlockPacker(({ first, bytes }) => {
    const inside = [...entriesOf(bytes)].map(({ term }) => term);
    expect(inside[0]).toBe(first);
    blocks.push(inside.join(' '));
  });
  for (const [term, length] of terms)
    add({ term, df: 1, titleDf: 0, cf: 1, bytes: new Uint8Array(length), from: 0, to: length });
  finish();
  return blocks;
};

describe('a block of terms', () => {
  it('is finished by the term that makes it large, of which each has five bytes beside', () => {
    expect(blocksOf(['a', BLOCK - 6], ['b', 1], ['c', 1])).toEqual(['a b', 'c']);
    expect(blocksOf(['a', BLOCK - 5], ['b', 1], ['c', 1])).toEqual(['a', 'b c']);
    expect(blocksOf(['aa', BLOCK - 6], ['b', 1])).toEqual(['aa', 'b']);
  });

  it('is that of one term where this has more bytes than a block', () => {
    expect(blocksOf(['a', 1], ['b', BLOCK], ['c', 1])).toEqual(['a b', 'c']);
    expect(blocksOf(['a', 1], ['b', BLOCK + 1], ['c', 1])).toEqual(['a', 'b', 'c']);
  });

  it('has the part of the bytes that are those of a term', () => {
    const blocks: Uint8Array[] = [];
    const { add, finish } = createBlockPacker(({ bytes }) => blocks.push(bytes));
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    add({ term: 'a', df: 2, titleDf: 1, cf: 7, bytes, from: 1, to: 3 });
    add({ term: 'b', df: 1, titleDf: 0, cf: 1, bytes, from: 4, to: 5 });
    finish();
    finish();
    expect(blocks).toHaveLength(1);
    const entries = [...entriesOf(blocks[0] as Uint8Array)];
    expect(entries.map(({ bytes: of, from, to }) => [...of.subarray(from, to)])).toEqual([[2, 3], [5]]);
    expect(entries.map(({ term, df, titleDf, cf }) => [term, df, titleDf, cf])).toEqual([
      ['a', 2, 1, 7],
      ['b', 1, 0, 1],
    ]);
  });
});
