import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSegmentBuilder, type SegmentPostings } from '../../../domain/ranking/segment-builder.ts';
import { packStatistics } from '../../../domain/ranking/postings.ts';

/** Words 0 to 5; 5 is a stop word, and 3 and 4 share a term. */
const TERMS = ['a', 'b', 'c', 'd', 'd', ''];
const word = fc.nat({ max: 5 });
const documents = fc.array(
  fc.record({
    title: fc.array(word, { maxLength: 3 }),
    body: fc.array(word, { maxLength: 12 }),
    beside: fc.array(word, { maxLength: 3 }),
  }),
);
const occurrences = (words: readonly number[], term: string): number =>
  words.filter((w) => TERMS[w] === term).length;

const rowsOf = ({ terms, df, titleDf, cf, ends, places, statistics }: SegmentPostings) =>
  terms.map((term, i) => {
    const [start, end] = [(ends[i] ?? 0) - (df[i] ?? 0), ends[i] ?? 0];
    return {
      term,
      df: df[i],
      titleDf: titleDf[i],
      cf: cf[i],
      places: [...places.subarray(start, end)],
      statistics: [...statistics.subarray(start, end)],
    };
  });

describe('createSegmentBuilder', () => {
  it('lists for every term the documents that have it, in order, with what ranking needs', () => {
    fc.assert(
      fc.property(documents, (docs) => {
        const builder = createSegmentBuilder(TERMS.map((term) => (term === '' ? [] : [term])));
        const lengths = docs.map((doc, i) => builder.add({ no: i + 10, ...doc }));
        const real = (words: readonly number[]) => words.filter((w) => TERMS[w] !== '').length;
        expect(lengths).toEqual(
          docs.map(({ title, body }) => ({ text: real(title) + real(body), title: real(title) })),
        );
        const expected = ['a', 'b', 'c', 'd'].map((term) => {
          const having = docs
            .map(({ title, body, beside }, place) => {
              const inTitle = occurrences(title, term);
              const inText = inTitle + occurrences(body, term) + occurrences(beside, term);
              const packed = packStatistics(
                inText,
                lengths[place]?.text ?? 0,
                inTitle,
                lengths[place]?.title ?? 0,
              );
              return { place, inTitle, inText, packed };
            })
            .filter(({ inText }) => inText > 0);
          return {
            term,
            df: having.length,
            titleDf: having.filter(({ inTitle }) => inTitle > 0).length,
            cf: having.reduce((sum, { inText }) => sum + inText, 0),
            places: having.map(({ place }) => place),
            statistics: having.map(({ packed }) => packed),
          };
        });
        expect(rowsOf(builder.postings())).toEqual(expected);
      }),
    );
  });

  it('finds a text by the other terms of a word too, which make it no longer', () => {
    const builder = createSegmentBuilder([['resum', 'resume'], ['send']]);
    expect(builder.add({ no: 1, title: [0], body: [1, 0], beside: [] })).toEqual({ text: 3, title: 1 });
    expect(rowsOf(builder.postings()).map(({ term, titleDf, cf }) => [term, titleDf, cf])).toEqual([
      ['resum', 1, 2],
      ['send', 0, 1],
      ['resume', 1, 2],
    ]);
  });

  it('counts a text as longer by its weight', () => {
    const builder = createSegmentBuilder([['tape']]);
    const lengths = builder.add({ no: 1, title: [0], body: [0, 0], beside: [], weightOfLength: 4 });
    expect(lengths).toEqual({ text: 12, title: 1 });
    expect(rowsOf(builder.postings())[0]?.statistics).toEqual([packStatistics(3, 12, 1, 1)]);
  });

  it('survives no words at all', () => {
    const builder = createSegmentBuilder([]);
    expect(builder.add({ no: 1, title: [], body: [], beside: [] })).toEqual({ text: 0, title: 0 });
    expect(rowsOf(builder.postings())).toEqual([]);
  });
});

describe('packStatistics', () => {
  it('cuts what is too great and stays a positive int of 32 bits', () => {
    const packed = packStatistics(1_000, 100_000, 50, 5_000);
    expect(packed).toBe(2 ** 31 - 1);
    expect(packStatistics(5, 300, 1, 9)).toBe(5 + 300 * 2 ** 7 + 2 ** 20 + 9 * 2 ** 23);
  });
});

it('names and stop words are listed, and make no text longer', () => {
  const builder = createSegmentBuilder([['tape'], ['=~the'], ['=big_tape']]);
  const lengths = builder.add({ no: 1, title: [1, 0], body: [1, 1, 0], beside: [2] });
  expect(lengths).toEqual({ text: 2, title: 1 });
  const { terms, df, titleDf, cf } = builder.postings();
  expect(terms).toEqual(['tape', '=~the', '=big_tape']);
  expect([[...df], [...titleDf], [...cf]]).toEqual([
    [1, 1, 1],
    [1, 1, 0],
    [2, 3, 1],
  ]);
});
