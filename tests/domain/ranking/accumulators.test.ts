import { describe, expect, it } from 'vitest';
import {
  type Accumulators,
  createAccumulatorPool,
  markAllBut,
  markExcluded,
} from '../../../domain/ranking/accumulators.ts';
import { hasBit } from '../../../domain/ranking/bit-set.ts';
import { denseLayout } from '../../../domain/ranking/segment-slots.ts';

const columnsOf = ({ base, feedback, blocks, matched, excluded, hidden }: Accumulators) => [
  base,
  feedback,
  blocks.base,
  blocks.feedback,
  matched,
  excluded,
  hidden,
];

describe('accumulators', () => {
  it('have a place for each slot, and one for each 32', () => {
    const columns = columnsOf(createAccumulatorPool().acquire(96));
    expect(columns.map(({ length }) => length)).toEqual([96, 96, 3, 3, 3, 3, 3]);
    expect(columns.every((column) => column.every((value) => value === 0))).toBe(true);
  });

  it('are used again, with nothing left of the search before', () => {
    const pool = createAccumulatorPool();
    const first = pool.acquire(96);
    for (const column of columnsOf(first)) column.fill(7);
    pool.release(first, 96);
    const second = pool.acquire(96);
    expect(second).toBe(first);
    expect(columnsOf(second).every((column) => column.every((value) => value === 0))).toBe(true);
    expect(pool.acquire(96)).not.toBe(first);
    pool.release(first, 96);
    expect(pool.acquire(64)).toBe(first);
  });

  it('are others where a search needs more slots, and where they are too large to be kept', () => {
    const pool = createAccumulatorPool();
    const small = pool.acquire(32);
    pool.release(small, 32);
    expect(pool.acquire(64).base.length).toBe(64);
    const [largest, larger] = [pool.acquire(2 ** 20), pool.acquire(2 ** 20 + 32)];
    pool.release(largest, 32);
    pool.release(larger, 32);
    expect(pool.acquire(32)).toBe(largest);
    expect(pool.acquire(32)).not.toBe(larger);
  });

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
  const all = Array.from({ length: 64 }, (_, at) => at);

  it('are those of the dead, as far as they have slots', () =>
    expect(
      marked((set) => markExcluded(slots, set, { allowed: null, dead: Float64Array.of(9, 11, 49, 50) })),
    ).toEqual([1, 39]));

  it('are all but the allowed, whatever is dead', () =>
    expect(
      marked((set) =>
        markExcluded(slots, set, { allowed: Float64Array.of(9, 11, 48), dead: Float64Array.of(12) }),
      ),
    ).toEqual(all.filter((at) => at !== 1 && at !== 38)));

  it('are all but some, up to the last slot and no further', () =>
    expect(marked((set) => markAllBut(slots, set, new Float64Array()))).toEqual(all));
});
