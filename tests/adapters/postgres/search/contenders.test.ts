import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBit } from '../../../../adapters/postgres/search/bit-set.ts';
import { findBest, findContenders } from '../../../../adapters/postgres/search/contenders.ts';
import type { Pair } from '../../../../adapters/postgres/search/standing.ts';
import { createRooms, type Room } from '../../../../adapters/postgres/search/rooms.ts';

const SLOTS = 96;
/** Most are low. */
const score = fc.nat({ max: 1_000 }).map((n) => (n / 1_000) ** 4 * 100);
const slot = fc.record({
  met: fc.nat({ max: 2 }).map((n) => n === 0),
  barred: fc.nat({ max: 9 }).map((n) => n === 0),
  hidden: fc.nat({ max: 3 }).map((n) => n === 0),
  base: score,
  feedback: score,
  /** Shares of what may be gained that it gains in the end. */
  gain: fc.record({ base: fc.nat({ max: 10 }), feedback: fc.nat({ max: 10 }) }),
});
type Slot = typeof slot extends fc.Arbitrary<infer S> ? S : never;

const roomOf = (slots: readonly Slot[]): Room => {
  const room = createRooms().take(SLOTS);
  for (const [i, { met, barred, hidden, base, feedback }] of slots.entries()) {
    if (barred) setBit(room.barred, i);
    if (hidden) setBit(room.hidden, i);
    if (!met) continue;
    setBit(room.met, i);
    room.base[i] = base;
    room.feedback[i] = feedback;
  }
  return room;
};

/** The slots of the best, and the highest scores. */
const inTheEnd = (slots: readonly Slot[], rest: Pair, limit: number) => {
  const ended = slots
    .map((of, i) => ({
      i,
      hidden: of.hidden,
      base: (of.met ? of.base : 0) + (rest.base * of.gain.base) / 10,
      feedback: (of.met ? of.feedback : 0) + (rest.feedback * of.gain.feedback) / 10,
    }))
    .filter(({ i }) => !slots[i]!.barred);
  const most = (kind: keyof Pair): number => Math.max(0, ...ended.map((of) => of[kind]));
  const [mostBase, mostFeedback] = [most('base') || 1, most('feedback') || 1];
  const places = ended
    .filter(({ hidden }) => !hidden)
    .map(({ i, base, feedback }) => ({ i, place: base / mostBase + feedback / mostFeedback }))
    .toSorted((a, b) => b.place - a.place);
  const last = places[limit - 1]?.place ?? 0;
  return {
    last,
    placeOf: new Map(places.map(({ i, place }) => [i, place])),
    best: places.filter(({ place }) => place > 0 && place >= last).map(({ i }) => i),
    mostBase,
    mostFeedback,
  };
};

describe('contenders', () => {
  it('are all that can come to the best places or to a highest score, whatever is gained', () => {
    let told = 0;
    let out = 0;
    fc.assert(
      fc.property(
        fc.array(slot, { minLength: 40, maxLength: SLOTS, size: 'max' }),
        fc.record({ base: fc.constantFrom(0, 1, 10, 30), feedback: fc.constantFrom(0, 1, 10, 30) }),
        fc.integer({ min: 1, max: 6 }),
        (slots, rest, limit) => {
          const found = findContenders(
            { room: roomOf(slots), count: SLOTS, hasFeedback: true, contenders: null },
            rest,
            limit,
            SLOTS,
          );
          if (found === null) return;
          const among = new Set(found);
          const { best, mostBase, mostFeedback } = inTheEnd(slots, rest, limit);
          expect(best.filter((i) => !among.has(i))).toEqual([]);
          const highest = (kind: keyof Pair): number =>
            Math.max(0, ...[...among].map((i) => slots[i]![kind] + (rest[kind] * slots[i]!.gain[kind]) / 10));
          expect([highest('base') || 1, highest('feedback') || 1]).toEqual([mostBase, mostFeedback]);
          expect([...among].filter((i) => !slots[i]!.met || slots[i]!.barred)).toEqual([]);
          told += 1;
          out += slots.filter(({ met, barred }, i) => met && !barred && !among.has(i)).length;
        },
      ),
      { numRuns: 2_000 },
    );
    expect(told).toBeGreaterThan(50);
    expect(out).toBeGreaterThan(500);
  });

  it('are not told while one that was not met may come to a highest score, though to no place', () => {
    const standing = {
      met: true,
      barred: false,
      hidden: false,
      base: 10,
      feedback: 100,
      gain: { base: 0, feedback: 0 },
    };
    const found = (base: number) =>
      findContenders(
        { room: roomOf([standing]), count: SLOTS, hasFeedback: true, contenders: null },
        { base, feedback: 0 },
        1,
        SLOTS,
      );
    expect(found(10)).toBeNull();
    expect([...(found(9) ?? [])]).toEqual([0]);
  });

  it('are not told when they are more than it pays to look up', () => {
    const equal = { met: true, barred: false, hidden: false, base: 10, feedback: 10 };
    const slots = Array.from({ length: 40 }, () => ({ ...equal, gain: { base: 0, feedback: 0 } }));
    const standing = { room: roomOf(slots), count: SLOTS, hasFeedback: true, contenders: null };
    const found = (atMost: number) => findContenders(standing, { base: 1, feedback: 1 }, 5, atMost);
    expect(found(39)).toBeNull();
    expect(found(40)).toHaveLength(40);
  });

  it('are those that have the best places, when nothing is left to gain', () => {
    fc.assert(
      fc.property(
        fc.array(slot, { minLength: 1, maxLength: SLOTS }),
        fc.integer({ min: 1, max: 6 }),
        (slots, limit) => {
          const standing = { room: roomOf(slots), count: SLOTS, hasFeedback: true, contenders: null };
          const found = findBest(standing, limit);
          const met = slots.map((of) => ({ ...of, barred: of.barred || !of.met }));
          const { best, placeOf, last } = inTheEnd(met, { base: 0, feedback: 0 }, limit);
          expect(best.filter((i) => !found.slots.includes(i))).toEqual([]);
          // What is almost as good is kept for whoever rounds.
          expect([...found.slots].filter((i) => (placeOf.get(i) ?? -1) < last - 1.1e-6)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
