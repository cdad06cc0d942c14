import { sleep } from './timing.ts';

/** Lets one part of a process tell another that there may be something to do. */
export interface WakeUp {
  readonly wake: () => void;
  /** Waits until woken since the last wait, `ms` at most, or until aborted; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const createWakeUp = (): WakeUp => {
  let woken = false;
  let waking = new AbortController();
  return {
    wake: () => {
      woken = true;
      waking.abort();
    },
    wait: async (ms, signal) => {
      if (!woken) await sleep(ms, AbortSignal.any([signal, waking.signal]));
      woken = false;
      waking = new AbortController();
    },
  };
};
