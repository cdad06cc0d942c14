import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topSlots } from '../../../domain/ranking/top-k.ts';
import { setBit } from '../../../domain/ranking/bit-set.ts';
import { createAccumulatorPool } from '../../../domain/ranking/accumulators.ts';
import { denseLayout } from '../../../domain/ranking/segment-slots.ts';
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
  const bestOf = (
    limit: number,
    of: Readonly<Record<number, Partial<Slot>>>,
    known?: number,
  ): readonly number[] => {
    const none = { met: false, barred: false, hidden: false, base: 0, feedback: 0 };
    const work = workOf(
      Array.from({ length: SLOTS }, (_, i) => ({ ...none, ...(of[i] && { met: true }), ...of[i] })),
    );
    const highest = { base: findHighest(work, 'base'), feedback: findHighest(work, 'feedback') };
    return [...topSlots({ ...work, highest }, limit, known)];
  };

  it('are the later ones too, and drop those that were among the best so far', () =>
    expect(bestOf(2, { 0: { base: 1 }, 1: { base: 5 }, 40: { base: 9 }, 70: { base: 10 } })).toEqual([
      40, 70,
    ]));

  it('are the same where all scores are small', () =>
    expect(bestOf(2, { 0: { base: 0.1 }, 40: { base: 0.2 }, 70: { base: 0.3 } })).toEqual([40, 70]));

  it('are by the sum of both scores, each by its highest', () => {
    const all = {
      0: { base: 4, feedback: 1 },
      35: { base: 0, feedback: 10 },
      36: { base: 3, feedback: 5 },
      90: { base: 1, feedback: 4 },
    };
    expect([1, 2, 3, 4].map((limit) => bestOf(limit, all))).toEqual([
      [36],
      [0, 36],
      [0, 35, 36],
      [0, 35, 36, 90],
    ]);
  });

  it('are more than asked for where the last are a millionth apart', () => {
    const [last, near, far] = [{ base: 5 }, { base: 5 - 9e-6 }, { base: 5 - 1.1e-5 }];
    expect(bestOf(2, { 0: { base: 10 }, 1: last, 33: near, 66: far })).toEqual([0, 1, 33]);
    expect(bestOf(2, { 0: far, 1: near, 33: last, 66: { base: 10 } })).toEqual([1, 33, 66]);
  });

  it('are none that is hidden, barred or has none of the terms', () => {
    const all = { 3: { base: 9, hidden: true }, 4: { base: 8, barred: true }, 5: { base: 7, met: false } };
    expect(bestOf(1, { ...all, 50: { base: 2 } })).toEqual([50]);
    expect(bestOf(1, all)).toEqual([]);
  });

  it('are none below a place that is known, however few are left', () =>
    expect(bestOf(3, { 0: { base: 10 }, 1: { base: 5 }, 40: { base: 4 } }, 0.5)).toEqual([0, 1]));

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
          // Whoever knows the last place, or a lower one, finds the same.
          for (const known of [last, last / 2]) {
            expect([...topSlots({ ...work, highest: most }, limit, known)]).toEqual(found);
          }
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
