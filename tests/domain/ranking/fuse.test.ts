import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse, type Leg } from '../../../domain/ranking/fuse.ts';

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
  it('tells of the best alone where the floor is as high, of nothing where there is none, and of so many', () => {
    const of = (best: number, ...scores: readonly number[]): Leg => ({
      ranked: scores.map((score, i) => ({ contentId: 'abc'.charAt(i), score })),
      best,
      floor: best,
    });
    const scores = (legs: Parameters<typeof fuse>[0]) => fuse(legs, all).map(({ score }) => score);
    expect(scores({ keyword: of(5, 5, 3), vector: of(1) })).toEqual([0.5, 0]);
    expect(scores({ keyword: of(0, 0), vector: of(1) })).toEqual([0]);
    expect(fuse({ keyword: of(5, 5, 3, 2) }, { limit: 2 })).toHaveLength(2);
  });

  it('is the mean of where scores lie between floor and best', () => {
    const keyword = {
      best: 8,
      floor: 0,
      ranked: [
        { contentId: 'a', score: 8 },
        { contentId: 'b', score: 4 },
      ],
    };
    const vector = {
      best: 0.9,
      floor: 0.7,
      ranked: [
        { contentId: 'b', score: 0.9 },
        { contentId: 'c', score: 0.75 },
        { contentId: 'd', score: 0.65 },
      ],
    };
    const fused = fuse({ keyword, vector }, all);
    expect(fused.map(({ contentId, ranks }) => [contentId, ranks])).toEqual([
      ['b', { keyword: 2, vector: 1 }],
      ['a', { keyword: 1 }],
      ['c', { vector: 2 }],
      ['d', { vector: 3 }],
    ]);
    expect(fused.map(({ score }) => score)).toEqual([
      expect.closeTo(0.75, 12),
      expect.closeTo(0.5, 12),
      expect.closeTo(0.125, 12),
      0,
    ]);
    expect(fuse({ keyword, vector }, { limit: 2, minScore: 0.65 })).toHaveLength(1);
  });

  it('counts a leg as much as it weighs', () => {
    const a = { best: 1, floor: 0, ranked: [{ contentId: 'a', score: 1 }] };
    const b = { best: 1, floor: 0, ranked: [{ contentId: 'b', score: 1 }] };
    const fused = fuse({ keyword: a, vector: b }, { ...all, weights: { keyword: 1, vector: 3 } });
    expect(fused.map(({ contentId, score }) => [contentId, score])).toEqual([
      ['b', 0.75],
      ['a', 0.25],
    ]);
  });

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

  it('does not depend on where the scores of a leg begin, nor on how far they reach', () => {
    fc.assert(
      fc.property(
        leg,
        leg,
        fc.constantFrom(0.25, 2, 1024),
        fc.nat({ max: 8 }),
        (keyword, vector, by, more) => {
          const moved = (score: number): number => score * by + more;
          const scaled = {
            best: moved(vector.best),
            floor: moved(vector.floor),
            ranked: vector.ranked.map(({ contentId, score }) => ({ contentId, score: moved(score) })),
          };
          // Where nothing lies above the floor, a best of 0 says that nothing was found.
          fc.pre(vector.best > vector.floor);
          for (const { contentId, score } of fuse({ keyword, vector }, all))
            expect(scoreOf({ keyword, vector: scaled }, contentId)).toBeCloseTo(score, 9);
        },
      ),
    );
  });

  it('rewards a better score in either leg, and never by lowering another content', () => {
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
          for (const { contentId } of others)
            expect(scoreOf(after, contentId)).toBeCloseTo(scoreOf(legs, contentId), 12);
        },
      ),
    );
  });
});
