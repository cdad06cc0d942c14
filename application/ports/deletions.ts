/** Deletions of data sources, as those see them who look after what was given up or left behind. */
export interface Deletions {
  /** Those that were given up at `before` (Unix milliseconds) or earlier, oldest first. */
  readonly failed: (
    before: number,
    limit: number,
  ) => Promise<readonly { readonly dataSourceId: string; readonly tenant: string }[]>;
  /**
   * Deletes leases, and plans of schedules, of data sources that are no more: a process may die, or a schedule be
   * planned, between the last word about a data source and the end of its lease. Answers how many.
   */
  readonly forgetRemoved: () => Promise<number>;
}
