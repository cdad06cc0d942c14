import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 150;
const PATIENCE_MS = 60_000;

/**
 * Asks until the answer satisfies, which it is bound to sooner or later: how soon nobody promises. The pauses in between
 * grow, and leave the processor to what is waited for.
 *
 * @throws after a minute, with the last answer
 */
export const eventually = async <T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  what = 'it',
): Promise<T> => {
  const givenUpAt = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(1.5 * pauseMs, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (Date.now() > givenUpAt) throw new Error(`${what} never came to be so: ${told(answer)}`);
    await pause(pauseMs);
  }
};

const told = (answer: unknown): string => {
  try {
    return (JSON.stringify(answer) ?? String(answer)).slice(0, 1_000);
  } catch {
    return String(answer);
  }
};
