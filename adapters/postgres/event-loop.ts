import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Turns } from '../../domain/ranking/add-terms.ts';

/** Approximate maximum time without yielding to the event loop. */
const MAX_BLOCKING_MS = 5;

/** Yields to the event loop every 5 ms during long computations, and schedules cleanup after a response. */
export const eventLoopTurns: Turns = {
  begin: () => {
    let since = performance.now();
    const turn = async (): Promise<void> => {
      await nextTurn();
      since = performance.now();
    };
    return () => (performance.now() - since < MAX_BLOCKING_MS ? null : turn());
  },
  later: (act) => {
    setImmediate(act);
  },
};

/**
 * Runs the steps in order and yields to the event loop after every `atOnce` of them, so that other waiting
 * tasks run first.
 */
export const mapYielding = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  step: (item: Item) => Result,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const item of items) {
    results.push(step(item));
    if (results.length % atOnce === 0) await nextTurn();
  }
  return results;
};
