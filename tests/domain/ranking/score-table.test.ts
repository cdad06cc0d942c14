import { describe, expect, it } from 'vitest';
import { createAccumulatorPool } from '../../../domain/ranking/accumulators.ts';
import { setBit } from '../../../domain/ranking/bit-set.ts';
import { carryOver, findHigher, findHighest, forEachRanked } from '../../../domain/ranking/score-table.ts';
import { denseLayout } from '../../../domain/ranking/segment-slots.ts';

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
const visited = (table: ReturnType<typeof tableOf>, passes: (base: number, feedback: number) => boolean) => {
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

it('the second score begins with so much of the first, where that may be ranked', () => {
  const table = tableOf();
  carryOver(table, 0.5);
  const { feedback } = table.accumulators;
  expect([...feedback].flatMap((score, slot) => (score === 0 ? [] : [[slot, score]]))).toEqual([
    [0, 1.5],
    [31, 2.5],
    [33, 1],
    [63, 0.5],
    [96, 2],
  ]);
});

describe('what may be ranked', () => {
  it('is visited in the order of slots, except for blocks that do not pass', () => {
    const table = tableOf();
    findHighest(table, 'base');
    expect(visited(table, () => true)).toEqual([0, 31, 33, 63, 96]);
    expect(visited(table, (base) => base > 3)).toEqual([0, 31, 96]);
    expect(visited(table, () => false)).toEqual([]);
  });

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
