/** Times in milliseconds. */
export interface ThreadLimits {
  /** For an answer: then nobody waits for it any more. Longer than a statement may take. */
  readonly answerMs: number;
  /** Without a sign of life while it owes answers: then it is stopped. What waits for others, or in line, gives one. */
  readonly silentMs: number;
  /** The same until it is ready: sources are compiled at one go. */
  readonly startMs: number;
}
export const USUAL_LIMITS: ThreadLimits = { answerMs: 90_000, silentMs: 15_000, startMs: 60_000 };
