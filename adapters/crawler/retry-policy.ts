import type { PageFailed, PageOutcome } from '../../application/ports/page-fetcher.ts';

export interface RetryPolicy {
  /** The first try included. */
  readonly tries: number;
  readonly firstDelayMs: number;
  /** A Retry-After beyond this is not waited for: the caller may ask again later. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { tries: 3, firstDelayMs: 500, maxDelayMs: 30_000 };

/**
 * How long to wait before the next try, in milliseconds, or null for none.
 *
 * Only what may pass is tried again, and never an exchange that already used up its time. Delays double and are spread
 * over their upper half, so that the requests of one outage do not return together; Retry-After (RFC 9110, section
 * 10.2.3) is a lower bound.
 *
 * @param tried how many tries were made, from 1
 * @param random in [0, 1)
 */
export const retryDelay = (
  policy: RetryPolicy,
  outcome: PageOutcome,
  tried: number,
  random: number,
): number | null => {
  if (outcome.kind !== 'failed' || !outcome.transient || spentItsTime(outcome)) return null;
  if (tried >= policy.tries) return null;
  const backOff = policy.firstDelayMs * 2 ** (tried - 1) * (0.5 + random / 2);
  const asked = outcome.retryAfterMs ?? 0;
  if (asked > policy.maxDelayMs) return null;
  return Math.max(asked, Math.min(backOff, policy.maxDelayMs));
};

const spentItsTime = ({ code }: PageFailed): boolean => code === 'timed_out' || code === 'too_slow';

/**
 * The delay that a Retry-After header asks for, in milliseconds from `nowMs` (Unix milliseconds), or null where there
 * is none or it is unreadable. Both forms are read: seconds and HTTP-date.
 */
export const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
};
