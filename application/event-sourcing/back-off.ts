/** How a command waits for other writers of the same stream. */
export interface BackOffPolicy {
  /** Waits, or returns early when aborted; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Starts the deadline: aborts when a command that begins to wait now has waited long enough. */
  readonly deadline: () => AbortSignal;
}

/** The command wrote nothing: other writers changed the stream until its deadline, or its caller stopped waiting. */
export class ContentionTimeout extends Error {
  override readonly name = 'ContentionTimeout';
}

export const contentionTimeout = (): ContentionTimeout =>
  new ContentionTimeout('other requests kept changing this resource until the deadline');

const FIRST_MS = 4;
const LONGEST_MS = 1_000;
/** More than fit before any deadline; bounds a command without one. */
const MAX_PAUSES = 5_000;

/**
 * The back-off of one command: random pauses with an upper bound that doubles ("full jitter"), so that processes that
 * collided once do not collide again.
 *
 * @param gone aborts when the caller stops waiting for the command
 */
export const createBackOff = (policy: BackOffPolicy, gone: AbortSignal | undefined) => {
  let signal: AbortSignal | undefined;
  let bound = FIRST_MS;
  let pauses = 0;
  /** One deadline for all pauses of the command, started by the first. */
  const deadline = (): AbortSignal =>
    (signal ??= gone === undefined ? policy.deadline() : AbortSignal.any([gone, policy.deadline()]));
  return {
    deadline,
    /** @throws ContentionTimeout */
    pause: async (): Promise<void> => {
      await policy.sleep(policy.random() * bound, deadline());
      if (deadline().aborted || (pauses += 1) > MAX_PAUSES) throw contentionTimeout();
      bound = Math.min(2 * bound, LONGEST_MS);
    },
  };
};

/** For callers without a clock: retries without pauses. */
export const withoutPauses: BackOffPolicy = {
  sleep: () => Promise.resolve(),
  random: () => 0,
  deadline: () => new AbortController().signal,
};
