import { setImmediate as nextTurn } from 'node:timers/promises';

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
