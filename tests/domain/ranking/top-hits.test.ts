import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topHits } from '../../../domain/ranking/top-k.ts';

describe('the best hits', () => {
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
