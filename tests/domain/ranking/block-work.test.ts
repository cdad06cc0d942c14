import { describe, expect, it } from 'vitest';
import { forEachIn } from '../../../domain/ranking/block-terms.ts';

const slotsOf = (block: number, these: number): readonly number[] => {
  const slots: number[] = [];
  forEachIn(block, these, (slot) => slots.push(slot));
  return slots;
};

describe('the slots of a block', () => {
  it('are visited from the first to the last, by their bits', () => {
    expect(slotsOf(0, 0b1011)).toEqual([0, 1, 3]);
    expect(slotsOf(2, 0b1001)).toEqual([64, 67]);
    expect(slotsOf(1, 1 << 31)).toEqual([63]);
    expect(slotsOf(3, -1)).toEqual(Array.from({ length: 32 }, (_, i) => 96 + i));
    expect(slotsOf(3, 0)).toEqual([]);
  });
});
