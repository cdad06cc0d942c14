import { backOff, MAX_ATTEMPTS } from './retry-rules.ts';
import type { DataSourceState } from './state.ts';

/** How long a deletion is retried after transient errors, in milliseconds. */
export const DELETION_RETRY_LIMIT = 3_600_000;
/** A deletion that has failed is started again automatically after this time. */
export const DELETION_REST_PERIOD = 24 * 3_600_000;

const FIRST_DELAY = 2_000;
const MAX_DELAY = 600_000;

/** An unsuccessful attempt to delete everything. */
export interface FailedDeletion {
  /** Whether the error may pass by itself. */
  readonly transient: boolean;
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  /** Number of attempts that failed with a permanent error, including this one. */
  readonly permanentFailures: number;
  /** When the deletion was requested, in Unix milliseconds like `at`. */
  readonly since: number;
  readonly at: number;
}

/**
 * The delay before the next attempt in milliseconds; null when the deletion is given up. After transient errors it is
 * given up when an hour has passed since the request, and the delays add up to an hour: a service that was down for
 * the first hour still retries for an hour.
 */
export const deletionDelayAfter = ({
  transient,
  attempts,
  permanentFailures,
  since,
  at,
}: FailedDeletion): number | null => {
  if (!transient) return permanentFailures >= MAX_ATTEMPTS ? null : backOff(permanentFailures);
  const overdue = at - since >= DELETION_RETRY_LIMIT && totalDelayBefore(attempts) >= DELETION_RETRY_LIMIT;
  return overdue ? null : delayOf(attempts);
};

const delayOf = (attempts: number): number => Math.min(FIRST_DELAY * 2 ** (attempts - 1), MAX_DELAY);

const totalDelayBefore = (attempts: number): number =>
  Array.from({ length: Math.max(0, attempts - 1) }, (_, i) => delayOf(i + 1)).reduce(
    (sum, ms) => sum + ms,
    0,
  );

/** Whether a failed deletion is to be started again. */
export const isDueAgain = (state: DataSourceState, at: number): boolean =>
  state.status === 'delete_job_failure' && at - state.since >= DELETION_REST_PERIOD;
