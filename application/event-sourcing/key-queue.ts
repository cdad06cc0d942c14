/** A mutex per key: one holder at a time, first come, first served. */
export interface KeyQueue {
  /**
   * Resolves when the caller holds the key, to the function that releases it. Call that function exactly once.
   *
   * @param deadline called only if the caller has to wait
   * @throws the reason of the deadline if it aborted while the caller waited
   */
  readonly enter: (key: string, deadline: () => AbortSignal) => Promise<() => void>;
}

export const createKeyQueue = (): KeyQueue => {
  /** Waiting callers of held keys, oldest first. A key that is absent is free. */
  const waiting = new Map<string, Set<() => void>>();

  const leave = (key: string) => (): void => {
    const [next] = waiting.get(key) ?? [];
    if (next === undefined) waiting.delete(key);
    else next();
  };

  const wait = (queue: Set<() => void>, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (how: () => void) => (): void => {
        queue.delete(begin);
        signal.removeEventListener('abort', giveUp);
        how();
      };
      const begin = settle(resolve);
      const giveUp = settle(() => reject(signal.reason as Error));
      if (signal.aborted) return giveUp();
      queue.add(begin);
      signal.addEventListener('abort', giveUp);
    });

  return {
    enter: async (key, deadline) => {
      const queue = waiting.get(key);
      if (queue === undefined) waiting.set(key, new Set());
      else await wait(queue, deadline());
      return leave(key);
    },
  };
};
