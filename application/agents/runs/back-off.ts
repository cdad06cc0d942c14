/** Delays in milliseconds before a busy or unavailable provider is called again; the last one repeats. */
const DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;
const MAX_ATTEMPTS = 8;

/** The delay after the given number of attempts, in milliseconds; null when there are no attempts left. */
export const retryDelayMs = (attempt: number): number | null =>
  attempt >= MAX_ATTEMPTS ? null : DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1]!;
