import { expect, it } from 'vitest';
import type { Decider } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { batched } from '../../../domain/shared/batched.ts';

/** A count that cannot go below nothing, and that is left alone at ten. */
const counter: Decider<number, number, number> = {
  category: 'count',
  initial: 0,
  decide: (by, count) => {
    if (count + by < 0) throw new DomainError('conflict', 'less than nothing');
    return count === 10 ? [] : [by];
  },
  evolve: (count, by) => count + by,
};
const { decide } = batched(counter);

it('commands together are each decided on what those before lead to', () => {
  expect(decide([2, -2, 1], 0)).toEqual([2, -2, 1]);
});

it('commands together lead to nothing where one of them does', () => {
  expect(decide([10, 1], 0)).toEqual([]);
  expect(decide([1], 10)).toEqual([]);
});
