import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterLook,
  leastBefore,
  weightOfDefinitions,
  weightOfLook,
  weightOfPhrases,
  weightOfSecondLook,
  weightOfTitles,
} from '../../../domain/ranking/closer-look.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const weight = fc.integer({ min: 0, max: 12 }).map((terms) => weightOfLook(terms));

describe('a closer look at a hit', () => {
  it('counts for short queries, less for longer ones, and not at all from six terms on', () => {
    const weights = [0, 1, 4, 5, 6, 7, 8, 9, 100].map((terms) => Number(weightOfLook(terms).toFixed(3)));
    expect(weights).toEqual([0.4, 0.4, 0.4, 0.2, 0, 0, 0, 0, 0]);
  });

  it('counts for long ones too as far as pages have several hits', () => {
    expect([1, 4, 5, 6, 20].map((terms) => weightOfLook(terms, 1))).toEqual([0.4, 0.4, 0.4, 0.4, 0.4]);
    expect(weightOfLook(6, 0.5)).toBeCloseTo(0.2, 12);
    expect(weightOfPhrases('a plan of six terms', 6, 1)).toBe(0.2);
    expect([0, 0.5, 1].map(weightOfSecondLook)).toEqual([0, 0.3, 0.6]);
    expect([0, 0.5, 1].map(weightOfTitles)).toEqual([0, 0.1, 0.2]);
  });

  it('counts phrases half as much, and none of nothing but identifiers', () => {
    expect(weightOfPhrases('execution plan', 2)).toBe(0.2);
    expect(weightOfPhrases('execution plan', 5)).toBeCloseTo(0.1, 12);
    expect(weightOfPhrases('execution plan', 6)).toBe(0);
    expect(weightOfPhrases('max_wal_size', 1)).toBe(0);
  });

  it('counts definitions of what the query names half as much', () =>
    expect([2, 5, 6].map((terms) => Number(weightOfDefinitions(terms).toFixed(3)))).toEqual([0.2, 0.1, 0]));

  it('leaves scores from 0 to 1, and better is never worse', () => {
    fc.assert(
      fc.property(share, share, share, weight, (a, b, c, w) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(afterLook(low, c, w)).toBeLessThanOrEqual(afterLook(high, c, w));
        expect(afterLook(c, low, w)).toBeLessThanOrEqual(afterLook(c, high, w));
        expect(afterLook(a, b, w)).toBeGreaterThanOrEqual(0);
        expect(afterLook(1, 1, w)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('loses no hit that reaches a least score by it', () => {
    fc.assert(
      fc.property(share, share, share, weight, (score, bySentence, least, w) => {
        fc.pre(afterLook(score, bySentence, w) >= least);
        expect(score).toBeGreaterThanOrEqual(leastBefore(least, w) - 1e-12);
      }),
    );
  });

  it('asks the ranking for no more than it needs', () => {
    expect(afterLook(leastBefore(0.9, 0.4), 1, 0.4)).toBeCloseTo(0.9, 12);
    expect(leastBefore(0.1, 0.4)).toBe(0);
  });
});
