import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Turns } from '../../domain/ranking/add-terms.ts';

/** How long the event loop is kept at most, about. */
const TURN_MS = 5;

/** Turns of the event loop, for long sums: every 5 ms, and for what is tidied up after an answer. */
export const eventLoopTurns: Turns = {
  begin: () => {
    let since = performance.now();
    const turn = async (): Promise<void> => {
      await nextTurn();
      since = performance.now();
    };
    return () => (performance.now() - since < TURN_MS ? null : turn());
  },
  later: (act) => {
    setImmediate(act);
  },
};

/** Takes the steps in order, and after every `atOnce` of them lets the event loop turn: whoever else waits goes first. */
export const inTurns = async <Item, Result>(
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
