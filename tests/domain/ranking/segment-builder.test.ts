import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSegmentBuilder, type SegmentPostings } from '../../../domain/ranking/segment-builder.ts';
import { packStatistics, NO_POSTINGS, type Postings } from '../../../domain/ranking/postings.ts';
import { createPostingCache, createSegmentCache } from '../../../domain/ranking/segment-cache.ts';

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
});

describe('postings in memory', () => {
  const postings = (length: number): Postings => ({
    ...NO_POSTINGS,
    offsets: new Uint32Array(length),
    statistics: new Int32Array(length),
  });

  it('are at most as many bytes as allowed: the segment that was not asked for longest goes', () => {
    const cache = createPostingCache(3_000);
    for (const key of ['one', 'two']) cache.add(key, 'a', postings(100));
    expect(cache.of('one').has('a')).toBe(true);
    cache.add('three', 'a', postings(100));
    expect(['one', 'two', 'three'].map((key) => cache.of(key).has('a'))).toEqual([true, false, true]);
  });

  it('may take all that is allowed, and are counted once', () => {
    const cache = createSegmentCache<number>(10, (bytes) => bytes);
    for (const key of ['one', 'one', 'two']) cache.add(key, 'a', 5);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([1, 1]);
    cache.add('two', 'b', 1);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([0, 2]);
  });

  it('of segments that are gone are dropped, and make room', () => {
    const cache = createSegmentCache<number>(10, (bytes) => bytes);
    for (const key of ['one', 'two']) cache.add(key, 'a', 5);
    cache.retain('tenant', 'first', (key) => key === 'one');
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([0, 1]);
    cache.add('three', 'a', 5);
    expect(cache.of('two').size).toBe(1);
    cache.retain('tenant', 'first', () => true);
    expect(cache.of('two').size).toBe(1);
    cache.retain('tenant', 'second', () => true);
    expect(cache.of('two').size).toBe(0);
  });

  it('of one search are kept together, even where that is more', () => {
    const cache = createPostingCache(500);
    cache.add('one', 'a', postings(100));
    cache.add('one', 'b', postings(100));
    expect([...cache.of('one').keys()]).toEqual(['a', 'b']);
    cache.add('two', 'a', postings(1));
    expect(cache.of('one').size).toBe(0);
  });
});
