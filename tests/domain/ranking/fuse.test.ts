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
  .map((found): Leg => {
    const ranked = found.toSorted((a, b) => b.score - a.score);
    return { ranked, best: ranked[0]?.score ?? 0 };
  });
const all = { limit: 100 };
const scoreOf = (legs: Parameters<typeof fuse>[0], id: string): number =>
  fuse(legs, all).find(({ contentId }) => contentId === id)?.score ?? 0;

describe('fusion', () => {
  it('adds up shares of the best, the words counting most', () => {
    const keyword = {
      best: 8,
      ranked: [
        { contentId: 'a', score: 8 },
        { contentId: 'b', score: 4 },
      ],
    };
    const vector = {
      best: 0.5,
      ranked: [
        { contentId: 'b', score: 0.5 },
        { contentId: 'c', score: 0.25 },
      ],
    };
    const fused = fuse({ keyword, vector }, all);
    expect(fused.map(({ contentId, ranks }) => [contentId, ranks])).toEqual([
      ['a', { keyword: 1 }],
      ['b', { keyword: 2, vector: 1 }],
      ['c', { vector: 2 }],
    ]);
    expect(fused[0]?.score).toBeCloseTo(1 / 1.3, 12);
    expect(fused[1]?.score).toBeCloseTo(0.8 / 1.3, 12);
    expect(fused[2]?.score).toBeCloseTo(0.15 / 1.3, 12);
    expect(fuse({ keyword, vector }, { limit: 2, minScore: 0.7 })).toHaveLength(1);
  });

  it('of one leg alone is that leg, relative to its best', () => {
    fc.assert(
      fc.property(leg, (vector) => {
        const fused = fuse({ vector }, all);
        expect(fused).toHaveLength(vector.ranked.length);
        for (const { score } of fused) expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the scale of a leg', () => {
    fc.assert(
      fc.property(leg, leg, fc.constantFrom(0.25, 2, 1024), (keyword, vector, by) => {
        const scaled = {
          best: vector.best * by,
          ranked: vector.ranked.map(({ contentId, score }) => ({ contentId, score: score * by })),
        };
        const [before, after] = [fuse({ keyword, vector }, all), fuse({ keyword, vector: scaled }, all)];
        expect(after.map(({ contentId }) => contentId)).toEqual(before.map(({ contentId }) => contentId));
      }),
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
          const { best, ranked } = legs[name];
          const others = ranked.filter(({ contentId }) => contentId !== id);
          const better = { best, ranked: [{ contentId: id, score: best }, ...others] };
          const after = { ...legs, [name]: better };
          expect(scoreOf(after, id)).toBeGreaterThanOrEqual(scoreOf(legs, id) - 1e-12);
          for (const { contentId } of others)
            expect(scoreOf(after, contentId)).toBeCloseTo(scoreOf(legs, contentId), 12);
        },
      ),
    );
  });
});
