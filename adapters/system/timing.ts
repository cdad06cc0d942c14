import { setTimeout as wait } from 'node:timers/promises';

/** Waits `ms` or until aborted; never rejects. */
export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await wait(ms, undefined, { signal });
  } catch {
    // Aborted: stop waiting.
  }
};

/**
 * Calls `run` every `ms`, never two at once, and not at all after `stop`. If a run fails, calls `onError` and
 * continues at the next interval.
 */
export const every = (
  ms: number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): { readonly stop: () => void } => {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    run()
      .catch(onError)
      .finally(() => {
        running = false;
      });
  }, ms);
  return { stop: () => clearInterval(timer) };
};

let nextTurn: Promise<void> | undefined;

/**
 * Resolves after the current turn of the event loop, when all ready tasks have run and pending input was
 * read. All callers resolve together, so that they can act as one batch.
 */
export const turn = (): Promise<void> =>
  (nextTurn ??= new Promise((resolve) => {
    setImmediate(() => {
      nextTurn = undefined;
      resolve();
    });
  }));

/** A signal that aborts after `ms`, unless `clear` is called before. */
export const after = (ms: number): { readonly signal: AbortSignal; readonly clear: () => void } => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('time is up')), ms);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
};

/** Lets one part of a process notify another that there may be work. */
export interface WakeUp {
  readonly wake: () => void;
  /** Waits until woken since the last wait, for at most `ms`, or until aborted; never rejects. */
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
