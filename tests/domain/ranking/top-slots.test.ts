import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topSlots } from '../../../domain/ranking/top-k.ts';
import { setBit } from '../../../domain/ranking/bit-set.ts';
import { createAccumulatorPool } from '../../../domain/ranking/accumulators.ts';
import { denseLayout } from '../../../domain/ranking/slot-layout.ts';
import { findHighest } from '../../../domain/ranking/score-table.ts';

const SLOTS = 96;
/** Most are low. */
const score = fc.nat({ max: 1_000 }).map((n) => (n / 1_000) ** 4 * 100);
const slot = fc.record({
  met: fc.nat({ max: 2 }).map((n) => n === 0),
  barred: fc.nat({ max: 9 }).map((n) => n === 0),
  hidden: fc.nat({ max: 3 }).map((n) => n === 0),
  base: score,
  feedback: score,
});
type Slot = typeof slot extends fc.Arbitrary<infer S> ? S : never;

const workOf = (all: readonly Slot[]) => {
  const slots = denseLayout([{ segment: 1, firstNo: 1, lastNo: SLOTS }], []);
  const accumulators = createAccumulatorPool().acquire(SLOTS);
  for (const [i, { met, barred, hidden, base, feedback }] of all.entries()) {
    if (barred) setBit(accumulators.excluded, i);
    if (hidden) setBit(accumulators.hidden, i);
    if (!met) continue;
    setBit(accumulators.matched, i);
    accumulators.base[i] = base;
    accumulators.feedback[i] = feedback;
  }
  return { slots, accumulators };
};

describe('the best slots', () => {
  it('are those of the best places among all that may be ranked, of which some are not answered', () => {
    let [ties, hidden] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(slot, { minLength: 1, maxLength: SLOTS, size: 'max' }),
        fc.integer({ min: 1, max: 6 }),
        (all, limit) => {
          const work = workOf(all);
          const most = { base: findHighest(work, 'base'), feedback: findHighest(work, 'feedback') };
          const ranked = all.flatMap((of, i) => (of.met && !of.barred ? [{ ...of, i }] : []));
          const highest = (kind: 'base' | 'feedback') => Math.max(0, ...ranked.map((of) => of[kind]));
          expect(most).toEqual({ base: highest('base'), feedback: highest('feedback') });
          const places = ranked
            .filter((of) => !of.hidden)
            .map(({ i, base, feedback }) => ({
              i,
              place: base / (most.base || 1) + feedback / (most.feedback || 1),
            }))
            .toSorted((a, b) => b.place - a.place);
          const last = places[limit - 1]?.place ?? 0;
          const found = [...topSlots({ ...work, highest: most }, limit)];
          // What is almost as good is kept for whoever rounds.
          const near = places.filter(({ place }) => place >= last - 1e-6);
          expect(found).toEqual(near.map(({ i }) => i).toSorted((a, b) => a - b));
          if (found.length > limit) ties += 1;
          hidden += ranked.length - places.length;
        },
      ),
      { numRuns: 1_000 },
    );
    expect(ties).toBeGreaterThan(0);
    expect(hidden).toBeGreaterThan(500);
  });
});
