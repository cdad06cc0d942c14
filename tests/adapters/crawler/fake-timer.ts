import type { Timer } from '../../../adapters/crawler/politeness.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export interface FakeTimer extends Timer {
  /** Moves the clock on, waking sleepers in order, each at its own instant. */
  readonly advance: (ms: number) => Promise<void>;
  readonly sleeping: () => number;
}

/** A clock that stands still until it is moved. */
export const createFakeTimer = (): FakeTimer => {
  let time = 0;
  let sleepers: Sleeper[] = [];
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: time + ms, wake: resolve };
        sleepers.push(sleeper);
        signal.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal.reason as Error);
        });
      }),
    advance: async (ms) => {
      const end = time + ms;
      await settled();
      for (;;) {
        const next = sleepers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined) break;
        time = next.at;
        sleepers = sleepers.filter((other) => other !== next);
        next.wake();
        await settled();
      }
      time = end;
    },
    sleeping: () => sleepers.length,
  };
};

/** Sleeps no time at all, puts its clock forward by each sleep, and writes down how long it was asked to. */
export const createEagerTimer = (): Timer & { readonly slept: number[] } => {
  const slept: number[] = [];
  let ahead = 0;
  return {
    slept,
    now: () => performance.now() + ahead,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      ahead += ms;
    },
  };
};
