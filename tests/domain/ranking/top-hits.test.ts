import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { topHits } from '../../../domain/ranking/top-k.ts';

describe('the best hits', () => {
  it('have scores of nine decimals, by which equal ones are equal whatever they were added up from', () => {
    const scores = Float64Array.of(0.1 + 0.2, 0.3, 0.25, 0.123_456_789_4);
    const hits = (limit: number) => topHits(Float64Array.of(11, 12, 13, 14), scores, limit);
    expect(hits(1)).toEqual({ nos: [11, 12], scores: [0.3, 0.3] });
    expect(hits(9)).toEqual({ nos: [11, 12, 13, 14], scores: [0.3, 0.3, 0.25, 0.123_456_789] });
    expect(topHits(new Float64Array(), new Float64Array(), 3)).toEqual({ nos: [], scores: [] });
  });

  it('are those that a sort would put first, with all that equal the last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 20 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (of, limit) => {
          const scores = Float64Array.from(of, (score) => score / 7);
          const { nos } = topHits(
            Float64Array.from(of, (_, i) => i),
            scores,
            limit,
          );
          const last = scores.toSorted().toReversed()[limit - 1] ?? Number.NEGATIVE_INFINITY;
          expect(nos).toEqual(of.flatMap((score, i) => (score / 7 >= last ? [i] : [])));
        },
      ),
    );
  });
});
