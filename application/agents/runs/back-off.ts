/** Waits between tries of what is busy or away, in milliseconds; the last is repeated. */
const WAITS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;
const MAX_ATTEMPTS = 8;

/** How long to wait after so many tries, in milliseconds; null: no longer at all. */
export const waitAfter = (tried: number): number | null =>
  tried >= MAX_ATTEMPTS ? null : WAITS[Math.min(tried, WAITS.length) - 1]!;
