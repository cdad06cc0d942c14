/** When API keys and secrets were last used. Not stored as events, because it changes with each request. */
export interface LastUses {
  /** Records a use at `at` (Unix milliseconds). A time earlier than the stored one changes nothing. */
  readonly used: (id: string, at: number) => Promise<void>;
  /** Unix milliseconds by id, without those that were never used. */
  readonly lastUsed: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly forget: (id: string) => Promise<void>;
}
