import { describe, expect, it } from 'vitest';
import { B, K1 } from '../../../domain/ranking/bm25.ts';
import {
  feedbackReach,
  feedbackShares,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../../domain/ranking/term-weights.ts';

const rarity = (contents: number, df: number): number =>
  (K1 + 1) * Math.log(1 + (contents - df + 0.5) / (df + 0.5));

describe('the weights of terms', () => {
  it('of a query are by rarity and by how often it has them, the rarest first, titles by three tenths', () => {
    const weights = queryTermWeights(100, [
      { term: 'often', n: 1, df: 90, titleDf: 3 },
      { term: 'b', n: 2, df: 4, titleDf: 0 },
      { term: 'a', n: 1, df: 4, titleDf: 1 },
    ]);
    expect(weights.map(({ term }) => term)).toEqual(['a', 'b', 'often']);
    expect(weights[0]?.text).toBeCloseTo(rarity(100, 4), 12);
    expect(weights[1]?.text).toBeCloseTo(2 * rarity(100, 4), 12);
    expect(weights[2]?.title).toBeCloseTo(0.3 * rarity(100, 3), 12);
    expect(weights.every(({ text }) => text > 0)).toBe(true);
  });

  it('of the feedback are at most 1 but for rarity, of the twenty most telling terms, the rarest first', () => {
    const terms = Array.from({ length: 30 }, (_, i) => ({
      term: `t${String(i).padStart(2, '0')}`,
      n: 1,
      df: i + 1,
      cf: i + 1,
    }));
    const weights = feedbackTermWeights(1_000, terms.toReversed());
    expect(weights.map(({ term }) => term)).toEqual(terms.slice(0, 20).map(({ term }) => term));
    expect(weights[0]?.text).toBeCloseTo(rarity(1_000, 1), 12);
    const telling = (cf: number): number =>
      Math.log((1 + cf / 1_000) / (cf / 1_000)) + Math.log(1 + cf / 1_000);
    expect(weights[9]?.text).toBeCloseTo((telling(10) / telling(1)) * rarity(1_000, 10), 12);
    expect(feedbackTermWeights(1_000, [])).toEqual([]);
  });

  it('of the feedback leave out what more than a tenth of a large collection has', () => {
    expect([feedbackReach(500), feedbackReach(10_000), feedbackReach(50_000)]).toEqual([1_000, 1_000, 5_000]);
    const weighed = (contents: number, df: number) =>
      feedbackTermWeights(contents, [{ term: 'a', n: 9, df, cf: df }]).length;
    expect([weighed(1_000, 1_000), weighed(50_000, 5_000), weighed(50_000, 5_001)]).toEqual([1, 1, 0]);
  });

  it('come in one order, whatever order they are given in', () => {
    const terms = ['b', 'c', 'a', 'd'].map((term) => ({ term, n: 1, df: 4, titleDf: 0, cf: 4 }));
    for (const given of [terms, terms.toReversed(), terms.toSorted((a, b) => (a.term < b.term ? 1 : -1))]) {
      for (const weights of [queryTermWeights(100, given), feedbackTermWeights(100, given)])
        expect(weights.map(({ term }) => term)).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  it('of the feedback are of the most telling terms, not of the first of the alphabet', () => {
    const terms = Array.from({ length: 21 }, (_, i) => ({
      term: `t${i + 10}`,
      n: 1 + i,
      df: 5,
      cf: 5,
    }));
    const weights = feedbackTermWeights(1_000, terms);
    expect(weights.map(({ term }) => term)).toEqual(terms.slice(1).map(({ term }) => term));
    expect(weights.at(-1)?.text).toBeCloseTo(rarity(1_000, 5), 12);
  });

  it('set lengths against their average, also where there are none', () => {
    expect(lengthNormalisation(10, 200, 0)).toEqual({
      perTextLength: (K1 * B) / 20,
      perTitleLength: K1 * B * 10,
    });
    expect(lengthNormalisation(10, 200, 50).perTitleLength).toBeCloseTo((K1 * B) / 5, 12);
  });
});

describe('the shares of contents in the feedback', () => {
  it('are what they score beside the best, for a long query', () => {
    expect(feedbackShares([0.5, 0.4, 0.1], 6)).toEqual([1, 0.8, 0.2]);
  });

  it('are all the same for a short query, and between for one between', () => {
    expect(feedbackShares([0.5, 0.4, 0.1], 4)).toEqual([1, 1, 1]);
    expect(feedbackShares([0.4, 0.1], 5)).toEqual([1, 0.5]);
  });

  it('are there where nothing scores', () => {
    expect(feedbackShares([0, 0], 8)).toEqual([1, 1]);
    expect(feedbackShares([], 8)).toEqual([]);
  });
});
