/** What a deletion must know of the read models. */
export interface PurgeCatalog {
  /** Rows that are there, hidden ones included. */
  readonly countOf: (
    dataSourceId: string,
  ) => Promise<{ readonly sources: number; readonly contents: number }>;
  /** Ids of sources that are there, hidden ones included, up to `limit`. */
  readonly sourceIds: (tenant: string, dataSourceId: string, limit: number) => Promise<readonly string[]>;
  /** Hashes of all files that readable documents of the data source refer to. */
  readonly filesOf: (dataSourceId: string) => Promise<ReadonlySet<string>>;
}
