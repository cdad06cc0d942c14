import { expect, it } from 'vitest';
import { rowIn, withRow } from '../../../application/read-models/with-row.ts';

it('a state with its row is folded of the same events, and tells whose row it is', () => {
  const decider = withRow(
    {
      category: 'count',
      initial: 0,
      decide: (by: number, state: number) => [state + by],
      evolve: (_before: number, event: number) => event,
    },
    (row: { revision: bigint; seen: number } | null, event: number, { revision }) =>
      event < 0 ? null : { revision, seen: (row?.seen ?? 0) + 1 },
  );
  expect(decider.initial).toEqual({ state: 0, row: null, next: 0 });
  const one = decider.evolve(decider.initial, 4);
  const two = decider.evolve(one, 7);
  expect(two).toEqual({ state: 7, row: { revision: 1n, seen: 2 }, next: 2 });
  expect(decider.decide(3, two)).toEqual([10]);
  expect(rowIn(two, 'c-1', 'acme')).toEqual({ revision: 1n, seen: 2, id: 'c-1', tenant: 'acme' });
  expect(rowIn(decider.evolve(two, -1), 'c-1', 'acme')).toBeNull();
});
