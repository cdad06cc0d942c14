import { describe, expect, it } from 'vitest';
import { createByteWriter } from '../../../domain/ranking/byte-writer.ts';
import { mergeDocuments, mergeTerms } from '../../../domain/ranking/merge-segments.ts';
import { createPostingPacker, forEachPacked } from '../../../domain/ranking/packed-postings.ts';
import { frequencyOf, packStatistics, titleFrequencyOf } from '../../../domain/ranking/postings.ts';
import { createBlockPacker } from '../../../domain/ranking/term-blocks.ts';

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
