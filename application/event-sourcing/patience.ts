/** What it takes to wait for others who write to the same stream. */
export interface Patience {
  /** Waits, or returns early when aborted; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0, below 1. */
  readonly random: () => number;
  /** Aborts when a command that begins to wait now has waited for long enough. */
  readonly limit: () => AbortSignal;
}

/** Nothing was written: others wrote to the stream for as long as the command could wait, or its caller has gone. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

const FIRST_MS = 4;
const LONGEST_MS = 1_000;
/** More than fit into any limit: whoever has none must not try for ever. */
const MOST = 5_000;

/**
 * How one command waits: pauses of random length, whose bound doubles, so that processes which met once do not meet again.
 *
 * @param gone aborts when nobody waits for the command any more
 */
export const createWaiting = ({ sleep, random, limit }: Patience, gone: AbortSignal | undefined) => {
  let signal: AbortSignal | undefined;
  let bound = FIRST_MS;
  let pauses = 0;
  const over = (): AbortSignal =>
    (signal ??= gone === undefined ? limit() : AbortSignal.any([gone, limit()]));
  return {
    over,
    /** @throws WaitedTooLong */
    pause: async (): Promise<void> => {
      await sleep(random() * bound, over());
      if (over().aborted || (pauses += 1) > MOST) throw waitedTooLong();
      bound = Math.min(2 * bound, LONGEST_MS);
    },
  };
};

export const waitedTooLong = (): WaitedTooLong =>
  new WaitedTooLong('others kept changing the same thing for as long as this could wait');

/** For callers without a clock: they try again at once, and often. */
export const withoutTime: Patience = {
  sleep: () => Promise.resolve(),
  random: () => 0,
  limit: () => new AbortController().signal,
};
