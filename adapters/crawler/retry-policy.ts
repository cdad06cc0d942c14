import type { PageFailed, FetchOutcome } from '../../application/ports/page-fetcher.ts';
import { retryDelay as delayOf, type RetryPolicy } from '../http-client/retry-policy.ts';

export const DEFAULT_RETRY_POLICY: RetryPolicy = { tries: 3, firstDelayMs: 500, maxDelayMs: 30_000 };

/**
 * How long to wait before the next try, in milliseconds, or null for none. Only what may pass is tried again, and never
 * an exchange that already used up its time.
 *
 * @param tried how many tries were made, from 1
 * @param random in [0, 1)
 */
export const retryDelay = (
  policy: RetryPolicy,
  outcome: FetchOutcome,
  tried: number,
  random: number,
): number | null => {
  if (outcome.kind !== 'failed' || !outcome.transient || spentItsTime(outcome)) return null;
  return delayOf(policy, tried, outcome.retryAfterMs ?? 0, random);
};

const spentItsTime = ({ code }: PageFailed): boolean => code === 'timed_out' || code === 'too_slow';
