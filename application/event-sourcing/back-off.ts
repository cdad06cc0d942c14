/** How a command waits for others that write to the same stream. */
export interface BackOffPolicy {
  /** Waits, or returns early when aborted; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0, below 1. */
  readonly random: () => number;
  /** Aborts when a command that begins to wait now has waited long enough. */
  readonly deadline: () => AbortSignal;
}

/** Nothing was written: others wrote to the stream until the deadline of the command, or its caller has gone. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

export const waitedTooLong = (): WaitedTooLong =>
  new WaitedTooLong('others kept changing the same thing for as long as this could wait');

const FIRST_MS = 4;
const LONGEST_MS = 1_000;
/** More than fit before any deadline: a command without one must not try for ever. */
const MOST_PAUSES = 5_000;

/**
 * The waits of one command: pauses of random length whose bound doubles ("full jitter"), so that processes that collided
 * once do not collide again.
 *
 * @param gone aborts when the caller no longer waits for the command
 */
export const createBackOff = (policy: BackOffPolicy, gone: AbortSignal | undefined) => {
  let signal: AbortSignal | undefined;
  let bound = FIRST_MS;
  let pauses = 0;
  /** One timer for all waits of the command, started by the first. */
  const deadline = (): AbortSignal =>
    (signal ??= gone === undefined ? policy.deadline() : AbortSignal.any([gone, policy.deadline()]));
  return {
    deadline,
    /** @throws WaitedTooLong */
    pause: async (): Promise<void> => {
      await policy.sleep(policy.random() * bound, deadline());
      if (deadline().aborted || (pauses += 1) > MOST_PAUSES) throw waitedTooLong();
      bound = Math.min(2 * bound, LONGEST_MS);
    },
  };
};

/** For callers without a clock: they try again at once, and often. */
export const withoutTime: BackOffPolicy = {
  sleep: () => Promise.resolve(),
  random: () => 0,
  deadline: () => new AbortController().signal,
};
