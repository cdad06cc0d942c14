import { sleep } from '../adapters/system/timing.ts';
import type { BackOffPolicy } from '../application/event-sourcing/back-off.ts';

/** Real time and chance for commands that wait for others, each for so many milliseconds at most. */
export const backOffFor = (limitMs: number): BackOffPolicy => ({
  sleep,
  random: Math.random,
  deadline: () => AbortSignal.timeout(limitMs),
});
