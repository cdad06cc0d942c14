import type { JobState } from './state.ts';

/** Maximum attempts of a job. */
export const MAX_ATTEMPTS = 3;

/** A job that failed because its workers were lost is queued again after this time, in milliseconds. */
export const LOST_JOB_REST_PERIOD = 24 * 3_600_000;

/** Delay before attempt n+1, in milliseconds. */
export const backOff = (attempt: number): number => (attempt <= 1 ? 10_000 : 60_000);

/** Maximum delay that a provider may ask for, in milliseconds: the longest rate limits of hosts last a day. */
export const MAX_PROVIDER_DELAY = 24 * 3_600_000;

/** Time limits in milliseconds for states that a lease cannot detect. */
export const STARTING_LIMIT = 180_000;
export const JOB_LIMIT = 24 * 3_600_000;
export const CANCELING_LIMIT = 180_000;
export const MANAGED_REPORT_LIMIT = 30 * 60_000;

const MIN_GAP = 2_000;
/** Well below MANAGED_REPORT_LIMIT, so that an executor that reports regularly is never considered lost. */
const MAX_GAP = 10 * 60_000;

/**
 * Progress is recorded at most every 2 s, and less often as an attempt gets older (1 % of its age), so that 24 hours
 * cause fewer than 720 events.
 */
export const progressIsDue = (
  { startedAt, progressedAt }: Pick<JobState, 'startedAt' | 'progressedAt'>,
  at: number,
): boolean => {
  const since = startedAt ?? at;
  const last = Math.max(progressedAt ?? since, since);
  return at - last >= Math.min(Math.max(MIN_GAP, (at - since) / 100), MAX_GAP);
};
