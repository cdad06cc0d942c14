/** Waits until the next request may be sent. */
export type Pace = (signal: AbortSignal) => Promise<void>;

interface PaceOptions {
  /** Of one secret, over all jobs of this process. */
  readonly requestsPerSecond: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Above so many, those that are over are forgotten. */
const MOST_REMEMBERED = 1_000;

/**
 * Spreads requests evenly: the budget of a wiki belongs to the integration that the secret is of, however many jobs ask
 * with it.
 */
export const createPaces = ({ requestsPerSecond, now, sleep }: PaceOptions): ((of: string) => Pace) => {
  const between = 1_000 / requestsPerSecond;
  /** When the next request of a secret may be sent. */
  const turns = new Map<string, number>();
  return (of) => async (signal) => {
    const time = now();
    const turn = Math.max(time, turns.get(of) ?? 0);
    if (turns.size > MOST_REMEMBERED) for (const [key, until] of turns) if (until < time) turns.delete(key);
    turns.set(of, turn + between);
    if (turn > time) await sleep(turn - time, signal);
    signal.throwIfAborted();
  };
};
