/**
 * Whose turn it is to have a secret renewed by its provider: one at a time over all processes, for a provider that gives
 * a new token for an old one may take a second use of the old one for theft, and void both.
 */
export interface RenewalTurns {
  /** Takes the turn for `ms`, by one clock for all, unless somebody has it. Answers what gives it back; null: taken. */
  readonly take: (secretId: string, ms: number) => Promise<(() => Promise<void>) | null>;
}
