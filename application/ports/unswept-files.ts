/**
 * Data sources whose files may include some that no document refers to: former versions, and files that a job or a
 * request stored and did not record. A mark is put before such a file can come into being, so a crash leaves none
 * unnoticed.
 */
export interface UnsweptFiles {
  /** Marks a data source, to be swept in `inMs` milliseconds. An earlier mark stays as it is. */
  readonly mark: (tenant: string, dataSourceId: string, inMs: number) => Promise<void>;
  /** Marked data sources whose time has come, while no job of theirs is queued or running; up to `limit`. */
  readonly due: (limit: number) => Promise<readonly UnsweptDataSource[]>;
  /** Removes the mark, or postpones it by `againInMs` milliseconds. */
  readonly swept: (dataSourceId: string, againInMs: number | null) => Promise<void>;
}

export interface UnsweptDataSource {
  readonly tenant: string;
  readonly dataSourceId: string;
  /** When its status changed last, in Unix milliseconds. */
  readonly statusSince: number;
}
