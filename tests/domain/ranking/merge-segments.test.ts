import { describe, expect, it } from 'vitest';
import { createByteWriter } from '../../../domain/ranking/byte-writer.ts';
import {
  mergeDocuments,
  mergeTerms,
  chooseMerge,
  type MergeCandidate,
} from '../../../domain/ranking/merge-segments.ts';
import { createPostingPacker, forEachPacked } from '../../../domain/ranking/packed-postings.ts';
import { frequencyOf, packStatistics, titleFrequencyOf } from '../../../domain/ranking/postings.ts';
import { createBlockPacker } from '../../../domain/ranking/term-blocks.ts';
import fc from 'fast-check';

/** The id of each content is sixteen times its number. */
const segmentOf = (firstNo: number, ...nos: readonly number[]) => ({
  firstNo,
  documents: {
    offsets: Uint32Array.from(nos, (no) => no - firstNo),
    lengths: Int32Array.from(nos, (no) => packStatistics(0, no, 0, 1)),
    ids: Uint8Array.from(nos.flatMap((no) => Array.from({ length: 16 }, () => no))),
  },
});
const [FIRST, SECOND] = [segmentOf(10, 10, 12, 19), segmentOf(20, 21, 22)];

/** By document: how often text and title have the term. */
type Occurrences = readonly (readonly [document: number, text: number, title: number])[];
const blocksOf = (terms: Readonly<Record<string, Occurrences>>): readonly Uint8Array[] => {
  const blocks: Uint8Array[] = [];
  const to = createBlockPacker(({ bytes }) => blocks.push(bytes));
  for (const [term, all] of Object.entries(terms)) {
    const writer = createByteWriter();
    const packer = createPostingPacker(writer);
    for (const [document, text, title] of all) packer.add(document, packStatistics(text, 0, title, 0));
    const bytes = writer.take();
    const cf = all.reduce((sum, [, text]) => sum + text, 0);
    const titleDf = all.filter(([, , title]) => title > 0).length;
    to.add({ term, df: all.length, titleDf, cf, bytes, from: 0, to: bytes.length });
  }
  to.finish();
  return blocks;
};

describe('documents of neighbours', () => {
  it('are put together, with their lengths and ids, without those that are dropped', () => {
    const { documents, places } = mergeDocuments([FIRST, SECOND], (no) => no === 12 || no === 22);
    expect(documents).toEqual(segmentOf(10, 10, 19, 21).documents);
    expect(places.map((of) => [...of])).toEqual([
      [0, -1, 1],
      [2, -1],
    ]);
  });

  it('are none of no neighbours, and where all are dropped', () => {
    for (const segments of [[], [FIRST, SECOND]])
      expect(mergeDocuments(segments, () => true).documents).toEqual(segmentOf(10).documents);
  });
});

describe('terms of neighbours', () => {
  it('come in order, with their counts before, and after without what is dropped', () => {
    const { places } = mergeDocuments([FIRST, SECOND], (no) => no === 12 || no === 22);
    const sources = [
      {
        blocks: blocksOf({
          reel: [[1, 3, 1]],
          tape: [
            [0, 2, 1],
            [1, 5, 2],
            [2, 1, 0],
          ],
        }),
      },
      {
        blocks: blocksOf({
          drum: [[0, 1, 0]],
          tape: [
            [0, 4, 1],
            [1, 1, 1],
          ],
        }),
      },
    ];
    const merged = Array.from(mergeTerms(sources, places), ({ before, entry }) => {
      if (entry === null) return { before, left: null };
      const { term, df, titleDf, cf } = entry;
      const occurrences: [number, number, number][] = [];
      forEachPacked(entry.bytes, entry.from, entry.to, (document, packed) =>
        occurrences.push([document, frequencyOf(packed), titleFrequencyOf(packed)]),
      );
      return { before, left: { term, df, titleDf, cf, occurrences } };
    });
    expect(merged).toEqual([
      {
        before: { term: 'drum', df: 1, titleDf: 0, cf: 1 },
        left: { term: 'drum', df: 1, titleDf: 0, cf: 1, occurrences: [[2, 1, 0]] },
      },
      { before: { term: 'reel', df: 1, titleDf: 1, cf: 3 }, left: null },
      {
        before: { term: 'tape', df: 5, titleDf: 4, cf: 13 },
        left: {
          term: 'tape',
          df: 3,
          titleDf: 2,
          cf: 7,
          occurrences: [
            [0, 2, 1],
            [1, 1, 0],
            [2, 4, 1],
          ],
        },
      },
    ]);
  });
});

const segments = (...sizes: readonly number[]): MergeCandidate[] =>
  sizes.map((contents, segment) => ({ segment, contents, dead: 0 }));

/** Merges until there is nothing to merge; counts how often contents were rewritten. */
const settle = (
  start: readonly MergeCandidate[],
): { readonly left: readonly MergeCandidate[]; readonly rewritten: number } => {
  let left = start;
  let rewritten = 0;
  for (let chosen = chooseMerge(left, 64); chosen.length > 0; chosen = chooseMerge(left, 64)) {
    const first = left.indexOf(chosen[0] as MergeCandidate);
    expect(left.slice(first, first + chosen.length)).toEqual(chosen);
    const contents = chosen.reduce((sum, segment) => sum + segment.contents - segment.dead, 0);
    rewritten += contents;
    const merged = contents === 0 ? [] : [{ segment: 1_000_000 + rewritten, contents, dead: 0 }];
    left = [...left.slice(0, first), ...merged, ...left.slice(first + chosen.length)];
  }
  return { left, rewritten };
};

describe('chooseMerge', () => {
  it('leaves few neighbours alone and merges eight', () => {
    expect(chooseMerge(segments(1, 1, 1, 1, 1, 1, 1), 64)).toEqual([]);
    expect(chooseMerge(segments(1, 1, 1, 1, 1, 1, 1, 1), 64)).toHaveLength(8);
    expect(chooseMerge(segments(5000, 1, 1, 1, 1, 1, 1, 1, 1), 64).map(({ segment }) => segment)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });

  it('takes no more at once than it is allowed, nor than one segment may hold', () => {
    expect(chooseMerge(segments(...Array(50).fill(2)), 10)).toHaveLength(10);
    const large = chooseMerge(segments(...Array(20).fill(6_000)), 64);
    expect(large.reduce((sum, { contents }) => sum + contents, 0)).toBe(30_000);
    expect(chooseMerge(segments(...Array(20).fill(30_000)), 64)).toEqual([]);
  });

  it('rewrites a segment alone once a fifth of it is dead', () => {
    expect(chooseMerge([{ segment: 1, contents: 100, dead: 19 }], 64)).toEqual([]);
    expect(chooseMerge([{ segment: 1, contents: 100, dead: 20 }], 64)).toHaveLength(1);
    expect(chooseMerge([{ segment: 1, contents: 0, dead: 0 }], 64)).toEqual([]);
  });

  it('comes to an end with a bounded number of segments, rewriting each content a few times', () => {
    const size = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5_000 }), fc.nat({ max: 40_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 300 }), (sizes) => {
        const { left } = settle(segments(...sizes));
        const total = sizes.reduce((sum, contents) => sum + contents, 0);
        expect(left.reduce((sum, { contents }) => sum + contents, 0)).toBe(total);
        expect(left.length).toBeLessThan(60 + total / 8_000);
      }),
    );
    const { left, rewritten } = settle(segments(...Array(10_000).fill(1)));
    expect(left.length).toBeLessThan(30);
    expect(rewritten).toBeLessThan(5 * 10_000);
  });
});
