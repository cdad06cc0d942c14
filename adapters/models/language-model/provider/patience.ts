import { ProviderTimeout, type WaitingFor } from '../../../../application/ports/language-model.ts';

/** One try's right to go on: ended by the caller's signal, by a wait that takes too long, or by `giveUp`. */
export interface Patience {
  /** Aborts with what ended it: the reason of the caller's signal, or {@link ProviderTimeout}. */
  readonly signal: AbortSignal;
  /** From now on at most `ms` pass until the next call of `waitFor` or `rest`. */
  readonly waitFor: (what: WaitingFor, ms: number) => void;
  /** No later wait takes longer than this. */
  readonly hurry: (ms: number) => void;
  /** Nothing is waited for: it is the consumer's turn. */
  readonly rest: () => void;
  /** Ends everything, timers included. To be called in any case. */
  readonly giveUp: () => void;
}

/** @param totalMs for all of it, the consumer's time included */
export const createPatience = (caller: AbortSignal, totalMs: number): Patience => {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  const runOut = (what: WaitingFor, ms: number) => () => controller.abort(new ProviderTimeout(what, ms));
  caller.addEventListener('abort', onAbort, { once: true });
  const total = setTimeout(runOut('end', totalMs), totalMs);
  let mostMs = Infinity;
  let waiting: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    waitFor: (what, ms) => {
      clearTimeout(waiting);
      const capped = Math.min(ms, mostMs);
      waiting = setTimeout(runOut(what, capped), capped);
    },
    hurry: (ms) => {
      mostMs = ms;
    },
    rest: () => clearTimeout(waiting),
    giveUp: () => {
      clearTimeout(waiting);
      clearTimeout(total);
      caller.removeEventListener('abort', onAbort);
      controller.abort(new Error('given up'));
    },
  };
};
