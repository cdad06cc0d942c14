import { backOff, MAX_ATTEMPTS } from './retry-rules.ts';
import type { DataSourceState } from './state.ts';

/** How long a deletion is tried while what stops it may pass, in milliseconds. */
export const DELETION_RETRY_LIMIT = 3_600_000;
/** A deletion that was given up is taken up again after this time, by itself. */
export const DELETION_REST_PERIOD = 24 * 3_600_000;

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 600_000;

/** A try to delete everything that did not come to its end. */
export interface FailedDeletion {
  /** Whether waiting may mend it. */
  readonly transient: boolean;
  /** Tries so far, this one included. */
  readonly tries: number;
  /** Those of them that failed for what waiting does not mend, this one included. */
  readonly lasting: number;
  /** When the deletion was asked for, in milliseconds like `at`. */
  readonly since: number;
  readonly at: number;
}

/**
 * How long to wait before the next try, in milliseconds; null when the deletion is given up. What may pass is given up
 * once an hour has gone since the request and another one, or the same, in pauses: a service that was down for the
 * first hour still tries for one.
 */
export const pauseAfter = ({ transient, tries, lasting, since, at }: FailedDeletion): number | null => {
  if (!transient) return lasting >= MAX_ATTEMPTS ? null : backOff(lasting);
  const overdue = at - since >= DELETION_RETRY_LIMIT && pausesBefore(tries) >= DELETION_RETRY_LIMIT;
  return overdue ? null : pauseOf(tries);
};

const pauseOf = (tries: number): number => Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE);

const pausesBefore = (tries: number): number =>
  Array.from({ length: Math.max(0, tries - 1) }, (_, i) => pauseOf(i + 1)).reduce((sum, ms) => sum + ms, 0);

/** Whether a deletion that was given up is to be taken up again. */
export const isToBeTakenUp = (state: DataSourceState, at: number): boolean =>
  state.status === 'delete_job_failure' && at - state.since >= DELETION_REST_PERIOD;
