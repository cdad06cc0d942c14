/** When secrets were used last. Not worth an event: it changes with each job. */
export interface SecretUsage {
  /** Used at that time, Unix milliseconds; an earlier one than what is known changes nothing. */
  readonly used: (secretId: string, at: number) => Promise<void>;
  /** Of those that were ever used. */
  readonly lastUsed: (secretIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly forget: (secretId: string) => Promise<void>;
}
