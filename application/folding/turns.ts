/** Hands out turns: one at a time per key, first come, first served. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn, with what ends it; that must be called, once.
   *
   * @param limit asked for only where there is something to wait for
   * @throws what the limit aborted with, while the caller waited
   */
  readonly take: (key: string, limit: () => AbortSignal) => Promise<() => void>;
}

export const createTurns = (): Turns => {
  /** Those who wait, eldest first; a key that is here is taken. */
  const lines = new Map<string, Set<() => void>>();

  const end = (key: string, line: Set<() => void>): void => {
    const [next] = line;
    if (next === undefined) lines.delete(key);
    else next();
  };

  const wait = (line: Set<() => void>, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        line.delete(begin);
        signal.removeEventListener('abort', giveUp);
      };
      const begin = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      if (signal.aborted) return giveUp();
      line.add(begin);
      signal.addEventListener('abort', giveUp);
    });

  return {
    take: async (key, limit) => {
      const line = lines.get(key);
      const own = line ?? new Set();
      if (line === undefined) lines.set(key, own);
      else await wait(line, limit());
      return () => end(key, own);
    },
  };
};
