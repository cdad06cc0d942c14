import type { Judge } from '../../http-client/refusal.ts';
import { askedToWait } from '../../http-client/retry-policy.ts';

/** Clocks differ: a limit ends a little later than it says. */
const LEEWAY_MS = 1_000;

/**
 * Limits of GitHub come as 403 or 429 (its documentation of rate limits): the primary one says when it ends in
 * `x-ratelimit-reset`, in Unix seconds; the secondary ones in Retry-After, or not at all.
 */
export const judgeRepositoryHost: Judge = ({ status, header, json }, now) => {
  if (status !== 403 && status !== 429) return undefined;
  const asked = askedToWait(header, now);
  if (asked > 0) return { kind: 'wait', ms: asked };
  const reset = Number(header('x-ratelimit-reset') ?? Number.NaN);
  if (header('x-ratelimit-remaining') === '0' && Number.isFinite(reset))
    return { kind: 'wait', ms: Math.max(0, reset * 1_000 - now) + LEEWAY_MS };
  const { message } = (json ?? {}) as { readonly message?: unknown };
  const isLimit =
    status === 429 || (typeof message === 'string' && /rate limit|abuse detection/i.test(message));
  return isLimit ? { kind: 'wait', ms: null } : undefined;
};
