import { KnowledgerError } from './errors.ts';

/** Before the second attempt, and at most, in milliseconds. A service that asks for more is not waited for. */
const [FIRST_MS, LONGEST_MS, LONGEST_ASKED_MS] = [500, 15_000, 60_000];

/** With a random share, so that many clients do not come back at once. @param attempt  that has failed, from 0 */
export const grownMs = (attempt: number): number =>
  Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS) * (0.5 + Math.random() / 2);

/**
 * How long to wait before a request is sent again; null: it will not get better, or may have been done.
 *
 * @param attempt  that has failed, from 1
 * @param isRepeatable  whether sending it twice does no more than once
 */
export const waitMs = (error: unknown, attempt: number, isRepeatable: boolean): number | null => {
  const grown = grownMs(attempt);
  // What `fetch` throws where a connection fails.
  if (!(error instanceof KnowledgerError)) return error instanceof TypeError && isRepeatable ? grown : null;
  const { status, retryAfter } = error;
  // The first attempt with this Idempotency-Key is still at work.
  const isAtWork = status === 409 && retryAfter !== null && attempt > 1 && isRepeatable;
  const isRefused = status === 429 || status === 503;
  if (!isAtWork && !isRefused && !(isRepeatable && (status === 502 || status === 504))) return null;
  const asked = (retryAfter ?? 0) * 1_000;
  return asked > LONGEST_ASKED_MS ? null : Math.max(asked, grown);
};

/** Ends early when `signal` aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted === true) done();
  });
