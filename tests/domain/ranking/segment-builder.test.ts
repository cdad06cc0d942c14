import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSegmentBuilder, type SegmentPostings } from '../../../domain/ranking/segment-builder.ts';
import { packStatistics, NO_POSTINGS, type Postings } from '../../../domain/ranking/postings.ts';
import {
  createCacheBudget,
  createPostingCache,
  createSegmentCache,
} from '../../../domain/ranking/segment-cache.ts';

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

  it('are at most as many bytes as allowed in all caches together: what was not asked for longest goes', () => {
    const budget = createCacheBudget(10);
    const [some, others] = [1, 2].map(() => createSegmentCache<number>(budget, (bytes) => bytes));
    some!.add('one', 'a', 2);
    some!.add('one', 'b', 2);
    others!.add('one', 'a', 2);
    expect(some!.get('one', ['a', 'b'])).toEqual(new Map([['a', 2]]).set('b', 2));
    // Asked for again, and the others never since.
    expect(some!.get('one', ['a']).size).toBe(1);
    others!.add('two', 'a', 4);
    expect(some!.get('one', ['a', 'b']).size + others!.get('one', ['a']).size).toBeLessThan(3);
    expect(others!.get('two', ['a']).size).toBe(1);
  });

  it('take what is allowed and one entry of each at most, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(9), fc.nat(4), fc.boolean())), (steps) => {
        const budget = createCacheBudget(20);
        const caches = [0, 1, 2].map(() => createSegmentCache<number>(budget, (bytes) => bytes));
        const added = new Set<string>();
        for (const [which, key, bytes, isAdded] of steps) {
          if (isAdded) caches[which]!.add(`${key}`, 'a', bytes);
          else caches[which]!.get(`${key}`, ['a']);
          added.add(`${which} ${key}`);
        }
        let held = 0;
        // A copy that stays out of the budget would be found as well.
        for (const cache of caches)
          for (let key = 0; key < 10; key++) for (const of of cache.get(`${key}`, ['a']).values()) held += of;
        expect(held).toBeLessThanOrEqual(24);
      }),
    );
  });

  it('of segments that are gone are dropped, and make room', () => {
    const cache = createSegmentCache<number>(createCacheBudget(20), (bytes) => bytes);
    const has = (key: string) => cache.get(key, ['a']).size === 1;
    for (const key of ['one', 'two']) cache.add(key, 'a', 5);
    cache.retain('tenant', 'first', (key) => key === 'one');
    expect(['one', 'two'].map(has)).toEqual([false, true]);
    cache.add('three', 'a', 5);
    expect(has('two')).toBe(true);
    cache.retain('tenant', 'first', () => true);
    expect(has('two')).toBe(true);
    cache.retain('tenant', 'second', () => true);
    expect(has('two')).toBe(false);
  });

  it('of one search are its own, even where all are more than is allowed', () => {
    const cache = createPostingCache(createCacheBudget(500));
    cache.add('one', 'a', postings(100));
    const found = cache.get('one', ['a', 'b']);
    cache.add('two', 'a', postings(100));
    expect([...found.keys()]).toEqual(['a']);
    expect(cache.get('one', ['a']).size).toBe(0);
  });
});
