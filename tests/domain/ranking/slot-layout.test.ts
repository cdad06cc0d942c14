import { describe, expect, it } from 'vitest';
import { wordsFor, hasBit, setBit } from '../../../domain/ranking/bit-set.ts';
import { packStatistics, type Postings, postingsOf, type Segment } from '../../../domain/ranking/postings.ts';
import { addAllTo, addTo, denseLayout, slotLayout } from '../../../domain/ranking/segment-slots.ts';
import { createAccumulatorPool, markExcluded } from '../../../domain/ranking/accumulators.ts';
import { carryOver, findHigher, findHighest, forEachRanked } from '../../../domain/ranking/score-table.ts';
import fc from 'fast-check';
import { topSlots, topHits } from '../../../domain/ranking/top-k.ts';

const segmentOf = (firstNo: number, lastNo: number): Segment => ({ segment: firstNo, firstNo, lastNo });
/** Of contents with these numbers; the first of them has the term in its title. */
const termIn = (segment: Segment, nos: readonly number[]): Postings =>
  postingsOf(
    {
      offsets: Uint32Array.from(nos, (no) => no - segment.firstNo),
      statistics: Int32Array.from(nos, (_, i) => packStatistics(i + 1, 9, i === 0 ? 1 : 0, 2)),
    },
    segment,
  );
const NEAR = segmentOf(100, 139);
const FAR = segmentOf(1_000, 2_000_000);
const LAST = segmentOf(3_000_000, 3_000_009);
const SEGMENTS = [NEAR, FAR, LAST];
const POSTINGS = [
  new Map([['tape', termIn(NEAR, [101, 110, 139])]]),
  new Map([
    ['tape', termIn(FAR, [1_500_000])],
    ['reel', termIn(FAR, [1_001, 1_500_000])],
    ['other', termIn(FAR, [5_000])],
  ]),
  new Map([['reel', termIn(LAST, [3_000_009])]]),
];

describe('a layout of slots', () => {
  const layout = slotLayout(SEGMENTS, POSTINGS, ['tape', 'reel']);

  it('has one for each number of a small segment, and where numbers lie far apart for each that is met', () => {
    expect([layout.count, layout.isDense]).toEqual([64 + 32 + 32, false]);
    const nos = [99, 100, 139, 140, 1_001, 1_500_000, 5_000, 3_000_000, 3_000_009, 3_000_010];
    expect(nos.map(layout.slotOf)).toEqual([null, 0, 39, null, 64, 65, null, 96, 105, null]);
    expect([0, 39, 64, 65, 96, 105].map(layout.noOf)).toEqual([
      100, 139, 1_001, 1_500_000, 3_000_000, 3_000_009,
    ]);
  });
});

describe('contents that have a term', () => {
  it.each([0, 1, 4, 5, 9])('are the same of %i terms together as of one after the other', (terms) => {
    const behind = segmentOf(140, 203);
    const names = Array.from({ length: terms }, (_, i) => `term${i}`);
    // Every third is of so few contents that there is no set of them.
    const nosOf = (i: number): readonly number[] =>
      Array.from({ length: i % 3 === 2 ? 1 : 12 }, (_, k) => 141 + i + 5 * k).filter((no) => no <= 203);
    const layout = denseLayout(
      [NEAR, behind],
      [new Map(), new Map(names.map((name, i) => [name, termIn(behind, nosOf(i))]))],
    );
    const ofBehind = names.map((name) => layout.postingsOf(name)[1]!);
    const [one, all] = [0, 1].map(() => new Uint32Array(wordsFor(layout.count)));
    for (const of of ofBehind) addTo(one!, of);
    addAllTo(all!, ofBehind);
    expect(all).toEqual(one);
    expect(ofBehind.filter(({ bits }) => bits === null)).toHaveLength(Math.floor(terms / 3));
  });
});

describe('accumulators', () => {
  it('are kept up to so many slots together, however many searches there were at once', () => {
    const pool = createAccumulatorPool();
    const [one, two, three] = [pool.acquire(2 ** 19), pool.acquire(2 ** 19), pool.acquire(32)];
    for (const each of [one, two, three]) pool.release(each, 32);
    expect([pool.acquire(32), pool.acquire(32)]).toEqual([two, one]);
    expect(pool.acquire(32)).not.toBe(three);
    pool.release(three, 32);
    expect(pool.acquire(32)).toBe(three);
  });
});

describe('slots that may not be ranked', () => {
  const slots = denseLayout([{ segment: 1, firstNo: 10, lastNo: 49 }], []);
  const marked = (mark: (set: Uint32Array) => void): readonly number[] => {
    const set = new Uint32Array(3);
    mark(set);
    return Array.from({ length: 96 }, (_, at) => at).filter((at) => hasBit(set, at));
  };

  it('are those of the dead, as far as they have slots', () =>
    expect(
      marked((set) => markExcluded(slots, set, { allowed: null, dead: Float64Array.of(9, 11, 49, 50) })),
    ).toEqual([1, 39]));
});

describe('score table', () => {
  /** Scores by slots, of which some have none of the terms or may not be ranked. */
  const SCORES: readonly (readonly [slot: number, score: number])[] = [
    [0, 3],
    [31, 5],
    [33, 2],
    [40, 9],
    [63, 1],
    [96, 4],
    [127, 8],
  ];
  const [UNMATCHED, EXCLUDED] = [40, 127];
  const SLOTS = 160;

  const tableOf = (kind: 'base' | 'feedback' = 'base') => {
    const slots = denseLayout([{ segment: 1, firstNo: 1, lastNo: SLOTS }], []);
    const accumulators = createAccumulatorPool().acquire(slots.count);
    for (const [slot, score] of SCORES) {
      accumulators[kind][slot] = score;
      if (slot !== UNMATCHED) setBit(accumulators.matched, slot);
      if (slot === EXCLUDED) setBit(accumulators.excluded, slot);
    }
    return { slots, accumulators };
  };
  const visited = (
    table: ReturnType<typeof tableOf>,
    passes: (base: number, feedback: number) => boolean,
  ) => {
    const slots: number[] = [];
    forEachRanked(
      { ...table, highest: { base: 5, feedback: 0 } },
      ({ base, feedback }) => passes(base, feedback),
      (slot) => slots.push(slot),
    );
    return slots;
  };

  describe.each(['base', 'feedback'] as const)('the highest score of the %s', (kind) => {
    it('is that of what may be ranked, also of each 32', () => {
      const table = tableOf(kind);
      expect(findHighest(table, kind)).toBe(5);
      expect([...table.accumulators.blocks[kind]]).toEqual([5, 2, 0, 4, 0]);
      const other = kind === 'base' ? 'feedback' : 'base';
      expect(table.accumulators.blocks[other].every((highest) => highest === 0)).toBe(true);
    });
  });

  describe('higher scores', () => {
    const more = (start: number, ...slots: number[]) => ({
      start,
      slots: Uint32Array.from(slots),
      statistics: new Int32Array(slots.length),
      bits: null,
    });

    it('are noted where some have more than before', () => {
      const table = tableOf();
      const { base, blocks } = table.accumulators;
      const highest = findHighest(table, 'base');
      base[33] = 7;
      base[63] = 6;
      base[EXCLUDED] = 99;
      expect(findHigher(table, highest, more(32, 1, 31, EXCLUDED - 32))).toBe(7);
      expect([...blocks.base]).toEqual([5, 7, 0, 4, 0]);
    });

    it('are none where only a block has more', () => {
      const table = tableOf();
      const { base, blocks } = table.accumulators;
      const highest = findHighest(table, 'base');
      base[63] = 3;
      expect(findHigher(table, highest, more(0, 63, 96))).toBe(5);
      expect([...blocks.base]).toEqual([5, 3, 0, 4, 0]);
    });
  });

  describe('what may be ranked', () => {
    it('is judged by the highest of both scores, and only where there is any', () => {
      const table = tableOf();
      findHighest(table, 'base');
      carryOver(table, 0.5);
      findHighest(table, 'feedback');
      const judged: (readonly [number, number])[] = [];
      visited(table, (base, feedback) => judged.push([base, feedback]) > 0);
      expect(judged).toEqual([
        [5, 2.5],
        [2, 1],
        [4, 2],
      ]);
    });
  });
});

describe('the best slots', () => {
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

  it('are the same where all scores are small', () =>
    expect(bestOf(2, { 0: { base: 0.1 }, 40: { base: 0.2 }, 70: { base: 0.3 } })).toEqual([40, 70]));

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
