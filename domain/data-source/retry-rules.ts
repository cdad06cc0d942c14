import type { JobState } from './state.ts';

/** How often a job is tried before it is given up. */
export const MAX_ATTEMPTS = 3;

/** A job that failed because its workers were lost is queued again after this time, in milliseconds. */
export const LOST_JOB_REST_PERIOD = 24 * 3_600_000;

/** Wait before attempt n+1, in milliseconds. */
export const backOff = (attempt: number): number => (attempt <= 1 ? 10_000 : 60_000);

/** What a provider may ask to wait, in milliseconds: limits of a day are the longest that hosts have. */
export const LONGEST_ASKED_WAIT = 24 * 3_600_000;

/** Limits in milliseconds on what a lease alone cannot see. */
export const STARTING_LIMIT = 180_000;
export const JOB_LIMIT = 24 * 3_600_000;
export const CANCELING_LIMIT = 180_000;
export const MANAGED_REPORT_LIMIT = 30 * 60_000;

const MIN_GAP = 2_000;
/** Well within MANAGED_REPORT_LIMIT, so that an executor that reports steadily is never taken for silent. */
const GREATEST_GAP = 10 * 60_000;

/**
 * Progress is recorded at most every 2 s, and ever more rarely as an attempt grows old (1 % of its age), so that
 * 24 hours stay under 720 events.
 */
export const progressIsDue = (
  { startedAt, progressedAt }: Pick<JobState, 'startedAt' | 'progressedAt'>,
  at: number,
): boolean => {
  const since = startedAt ?? at;
  const last = Math.max(progressedAt ?? since, since);
  return at - last >= Math.min(Math.max(MIN_GAP, (at - since) / 100), GREATEST_GAP);
};
