const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Between the attempts of a delivery, in milliseconds. The last attempt is made when a day is over. */
const RETRY_DELAYS_MS = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR] as const;
/** For how long a delivery is tried, and for how long a receiver may fail before its webhook is disabled. */
export const GIVE_UP_MS = 24 * HOUR;
/** Share of a delay that is added at most, so that the deliveries of one outage do not return together. */
const JITTER = 0.2;

export interface FailedAttempt {
  /** When the first attempt failed, in Unix milliseconds. */
  readonly firstAt: number;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly now: number;
  /** A delay that the receiver asked for, in milliseconds; 0: none. */
  readonly askedMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** When a failed delivery is tried again, in Unix milliseconds; null: never, it is a dead letter. */
export const nextAttemptAt = ({ firstAt, attempts, now, askedMs, random }: FailedAttempt): number | null => {
  const end = firstAt + GIVE_UP_MS;
  if (now >= end) return null;
  const delay = RETRY_DELAYS_MS[attempts - 1] ?? GIVE_UP_MS;
  return Math.min(end, now + Math.round(Math.max(askedMs, delay * (1 + JITTER * random))));
};
