import { sleep } from '../adapters/system/timing.ts';
import type { Patience } from '../application/event-sourcing/patience.ts';

/** Real time and chance for commands that wait for others, each for so many milliseconds at most. */
export const patienceFor = (limitMs: number): Patience => ({
  sleep,
  random: Math.random,
  limit: () => AbortSignal.timeout(limitMs),
});
