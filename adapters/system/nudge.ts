import { sleep } from './timing.ts';

/** Lets one part of a process tell another that there may be something to do. */
export interface Nudge {
  readonly nudge: () => void;
  /** Waits until nudged since the last wait, `ms` at most, or until aborted; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const createNudge = (): Nudge => {
  let nudged = false;
  let wake = new AbortController();
  return {
    nudge: () => {
      nudged = true;
      wake.abort();
    },
    wait: async (ms, signal) => {
      if (!nudged) await sleep(ms, AbortSignal.any([signal, wake.signal]));
      nudged = false;
      wake = new AbortController();
    },
  };
};
