import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALIKE_OF, weightOfAlike, withAlike } from '../../../domain/ranking/likeness.ts';

const scored = (...scores: readonly number[]) => scores.map((score) => ({ score }));
const pagesOf = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);

describe('what hits like it count for a hit', () => {
  it('grows with the words of a query: a short one is left alone', () => {
    const pages = pagesOf(20);
    expect([1, 4, 5, 6, 20].map((terms) => weightOfAlike(terms, pages))).toEqual([0, 0, 0.625, 1.25, 1.25]);
  });

  it('is nothing where half of the first hits share their pages, and grows up to where each has its own', () => {
    const half = [...pagesOf(10), ...Array.from({ length: 10 }, () => 'one')];
    const most = [...pagesOf(15), ...Array.from({ length: 5 }, () => 'one')];
    expect([half, most, pagesOf(20)].map((pages) => weightOfAlike(8, pages))).toEqual([0, 0.625, 1.25]);
  });

  it('looks at the first 20 alone, and is nothing without hits', () => {
    const behind = Array.from({ length: 40 }, () => 'one');
    expect(weightOfAlike(8, [...pagesOf(20), ...behind])).toBe(1.25);
    expect(weightOfAlike(8, [])).toBe(0);
  });
});

describe('hits with what others like them say', () => {
  it('come before what is like no other, and the best scores what the best did', () => {
    // The second and the third are alike by half.
    const likeness = (one: number, other: number): number => (one > 0 && other > 0 ? 0.5 : 0);
    const [first = 0, second = 0, third = 0] = withAlike(scored(0.9, 0.88, 0.8), likeness, 1);
    const [raisedSecond, raisedThird] = [0.88 + 0.4 / 5, 0.8 + 0.44 / 5];
    expect(second).toBeCloseTo(0.9, 12);
    expect(first).toBeCloseTo((0.9 * 0.9) / raisedSecond, 12);
    expect(third).toBeCloseTo((raisedThird * 0.9) / raisedSecond, 12);
  });

  it('hear the five that say most, and not themselves', () => {
    const likeness = (one: number, other: number): number => (one === 0 || other === 0 ? 0.5 : 0);
    const hits = scored(1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4);
    const heard = 1 + (0.5 * (0.9 + 0.8 + 0.7 + 0.6 + 0.5)) / 5;
    const [first, second] = withAlike(hits, likeness, 1);
    expect(first).toBe(1);
    expect(second).toBeCloseTo((0.9 + 0.5 / 5) / heard, 12);
  });

  it('stay from 0 to the best, and before all behind the first 20', () => {
    const ranked = fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
      .map((scores) => scores.toSorted((a, b) => b - a));
    const likenesses = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 400,
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        ranked,
        likenesses,
        fc.double({ min: 0, max: 1.25, noNaN: true }),
        (scores, like, weight) => {
          const likeness = (one: number, other: number): number =>
            like[Math.min(one, other) * ALIKE_OF + Math.max(one, other)] ?? 0;
          const after = withAlike(scored(...scores), likeness, weight);
          expect(after).toHaveLength(scores.length);
          const first = after.slice(0, ALIKE_OF);
          const least = Math.min(Infinity, ...first);
          expect(Math.max(0, ...first)).toBeCloseTo(scores[0] ?? 0, 12);
          for (const [i, score] of after.slice(ALIKE_OF).entries()) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(least + 1e-12);
            expect(score).toBeLessThanOrEqual((scores[ALIKE_OF + i] ?? 0) + 1e-12);
          }
        },
      ),
    );
  });
});
