import type { Attempt } from './attempts.ts';

/** Attempts without a pause between them, newest first. Times are Unix milliseconds. */
export interface Stretch {
  readonly attempts: readonly Attempt[];
  readonly from: number;
  readonly to: number;
  /** How long nothing was asked for before it; null: it is the first one. */
  readonly idleBefore: number | null;
}

/** A part of time; both ends may be open. Unix milliseconds. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** A shorter pause is none. */
const PAUSE_MS = 1_000;

const endOf = ({ endedAt }: Attempt, now: number): number => endedAt ?? now;

/** Attempts of which a part lies in the range, in the order given: newest first. */
export const within = (attempts: readonly Attempt[], { from, to }: Range, now: number): readonly Attempt[] =>
  attempts.filter(
    (attempt) =>
      (from === undefined || endOf(attempt, now) >= from) && (to === undefined || attempt.queuedAt <= to),
  );

/** Folds the time in which nothing waited or ran. `attempts` are newest first, and so are the stretches. */
export const stretchesOf = (attempts: readonly Attempt[], now: number): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  for (const attempt of attempts.toReversed()) {
    const last = stretches.at(-1);
    const idle = last === undefined ? null : attempt.queuedAt - last.to;
    const to = endOf(attempt, now);
    if (last !== undefined && idle! <= PAUSE_MS)
      stretches[stretches.length - 1] = {
        ...last,
        attempts: [attempt, ...last.attempts],
        to: Math.max(last.to, to),
      };
    else stretches.push({ attempts: [attempt], from: attempt.queuedAt, to, idleBefore: idle });
  }
  return stretches.toReversed();
};
