import { describe, expect, it } from 'vitest';
import { B, K1 } from '../../../domain/ranking/bm25.ts';
import {
  feedbackReach,
  feedbackShares,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../../domain/ranking/term-weights.ts';
import { withSharedRarity } from '../../../domain/ranking/shared-rarity.ts';
import fc from 'fast-check';
import { fuse, type Leg } from '../../../domain/ranking/fuse.ts';

const rarity = (contents: number, df: number): number =>
  (K1 + 1) * Math.log(1 + (contents - df + 0.5) / (df + 0.5));

describe('the weights of terms', () => {
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
  it('are all the same for a short query, and between for one between', () => {
    expect(feedbackShares([0.5, 0.4, 0.1], 4)).toEqual([1, 1, 1]);
    expect(feedbackShares([0.4, 0.1], 5)).toEqual([1, 0.5]);
  });
});

const term = (name: string, df: number, titleDf = 0) => ({ term: name, df, titleDf, n: 1 });

describe('the rarity of a word', () => {
  it('is at most to be in every content', () => {
    const terms = [term('a', 8, 3), term('b', 9, 1)];
    const [a, b] = withSharedRarity([{ terms: ['a', 'b'] }], terms, 10);
    expect([a, b]).toEqual([term('a', 10, 4), term('b', 10, 4)]);
  });
});

const leg = fc
  .uniqueArray(
    fc.record({
      contentId: fc.constantFrom(...'abcdefgh'),
      score: fc.nat({ max: 9000 }).map((n) => n / 1000),
    }),
    { selector: ({ contentId }) => contentId },
  )
  .chain((found) => {
    const ranked = found.toSorted((a, b) => b.score - a.score);
    const best = ranked[0]?.score ?? 0;
    return fc.constantFrom(0, 0.5, 0.9, 1).map((of): Leg => ({ ranked, best, floor: best * of }));
  });
const all = { limit: 100 };
const scoreOf = (legs: Parameters<typeof fuse>[0], id: string): number =>
  fuse(legs, all).find(({ contentId }) => contentId === id)?.score ?? 0;

describe('fusion', () => {
  it('of one leg alone is that leg, relative to its best', () => {
    fc.assert(
      fc.property(leg, (vector) => {
        const fused = fuse({ vector }, all);
        const { best, ranked } = vector;
        const expected = ranked.map(({ contentId, score }) => [contentId, best > 0 ? score / best : 0]);
        expect(new Map(fused.map(({ contentId, score }) => [contentId, score]))).toEqual(
          new Map(expected as [string, number][]),
        );
      }),
    );
  });

  it('lets words decide as far as they tell contents apart, and vectors at most as much', () => {
    const ids = [...'abcdefghijkl'];
    const keyword = (others: number): Leg => ({
      ranked: ids.map((contentId, i) => ({ contentId, score: i === 0 ? 4 : 4 * others })),
      best: 4,
      floor: 0,
    });
    const vector: Leg = { ranked: [{ contentId: 'l', score: 0.8 }], best: 0.8, floor: 0.6 };
    const scores = (others: number): readonly number[] =>
      ['a', 'l'].map((id) => scoreOf({ keyword: keyword(others), vector }, id));
    expect(scores(0.25)).toEqual([0.75, 0.75 * 0.25 + 0.25]);
    expect(scores(0.5)).toEqual([0.5, 0.75]);
    expect(scores(0.9)).toEqual([0.5, 0.95]);
    const few: Leg = { ranked: [{ contentId: 'a', score: 4 }], best: 4, floor: 0 };
    expect(scoreOf({ keyword: few, vector }, 'l')).toBe(0.5);
    expect(scoreOf({ keyword: { ranked: [], best: 0, floor: 0 }, vector }, 'l')).toBe(1);
  });

  it('has scores from 0 to 1, 1 for the best of every leg, best first and equal ones by id', () => {
    fc.assert(
      fc.property(leg, leg, (keyword, vector) => {
        const fused = fuse({ keyword, vector }, all);
        for (const { score } of fused) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
        const sorted = fused.toSorted((a, b) => b.score - a.score || (a.contentId < b.contentId ? -1 : 1));
        expect(fused).toEqual(sorted);
        const [first] = keyword.ranked;
        fc.pre(keyword.best > 0 && vector.best > 0);
        fc.pre(first !== undefined && first.contentId === vector.ranked[0]?.contentId);
        expect(fused.find(({ contentId }) => contentId === first?.contentId)?.score).toBeCloseTo(1, 12);
      }),
    );
  });

  it('rewards a better score in either leg, by vectors without a change of another content', () => {
    fc.assert(
      fc.property(
        leg,
        leg,
        fc.constantFrom('keyword', 'vector'),
        fc.constantFrom(...'abcdefgh'),
        (a, b, name, id) => {
          const legs = { keyword: a, vector: b };
          const { best, floor, ranked } = legs[name];
          const others = ranked.filter(({ contentId }) => contentId !== id);
          const better = { best, floor, ranked: [{ contentId: id, score: best }, ...others] };
          const after = { ...legs, [name]: better };
          expect(scoreOf(after, id)).toBeGreaterThanOrEqual(scoreOf(legs, id) - 1e-12);
          for (const { contentId } of name === 'vector' ? others : [])
            expect(scoreOf(after, contentId)).toBeCloseTo(scoreOf(legs, contentId), 12);
        },
      ),
    );
  });
});
