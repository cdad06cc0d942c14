import type {
  DataSourceKind,
  DataSourceSubject,
  JobCounts,
  JobError,
  JobStatus,
  StreamStatus,
  SyncMode,
} from '../../domain/data-source/index.ts';
import type { Parameters, Schedule } from '../../domain/ingestion-setting/index.ts';
import type { Page, PageRequest } from './page.ts';

/** A data source as lists, workers and the answers to writes read it. */
export interface DataSourceRow {
  readonly id: string;
  readonly tenant: string;
  readonly status: StreamStatus;
  readonly subject: DataSourceSubject;
  readonly ingestionSettingId: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
  readonly error: JobError | null;
  readonly jobId: string;
  readonly attempt: number;
  readonly mode: SyncMode;
  readonly generation: number;
  /** That of the newest job over all items; a job over some of them leaves it. */
  readonly wholeGeneration: number;
  /** That of the newest job over all items that succeeded, after which older errors of items mean nothing; 0: none. */
  readonly settledGeneration: number;
  readonly epoch: number;
  /** Every occurrence of the schedule up to this instant is handled; 0: none. */
  readonly tickedUntil: number;
  readonly counts: JobCounts;
  /** Unix milliseconds, like all `…At`. The job may not be claimed before. */
  readonly notBefore: number;
  readonly createdAt: number;
  /** Time of the newest file upload; null: there was none. */
  readonly uploadedAt: number | null;
  /** Time of JobStarted of the newest attempt. */
  readonly startedAt: number | null;
  /** Time of the event that ended the newest job. */
  readonly endedAt: number | null;
  /** Time of the event that ended the newest job that succeeded; null: none has. */
  readonly syncedAt: number | null;
  /** When the data source entered this status. */
  readonly statusSince: number;
  /** Time of the last event from the worker or external executor. */
  readonly heardAt: number;
  /** Revision of the newest event included in this row. */
  readonly revision: bigint;
}

export interface IngestionSettingRow {
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly name: string;
  readonly parameters: Parameters;
  readonly schedule: Schedule | null;
  readonly revision: bigint;
}

export interface NamedDataSource {
  readonly row: DataSourceRow;
  readonly name: string;
  /** Parameters of its setting for the next job; null if not known yet. */
  readonly parameters: Parameters | null;
  /** Only for local file groups: number of contents that have a value for one of the declared keys. */
  readonly chunkMetadataCount?: number;
}

/** All given conditions must hold. */
export interface DataSourceFilter {
  readonly status?: JobStatus;
  /** How the name begins, in upper or lower case. */
  readonly name?: string;
}

/** Reads data sources and settings, without removed ones. Eventually consistent: see ReadGate. */
export interface DataSourceView {
  readonly get: (tenant: string, kind: DataSourceKind, id: string) => Promise<NamedDataSource | null>;
  /**
   * Newest first. `only` restricts the list to these ids. `total` counts the data sources that also pass the filter.
   * The cursor may name a data source outside the filter, because its status may have changed since the last page.
   *
   * @throws DomainError invalid_cursor, see PageRequest
   */
  readonly list: (
    tenant: string,
    kind: DataSourceKind,
    page: PageRequest,
    only: readonly string[] | null,
    filter?: DataSourceFilter,
  ) => Promise<Page<NamedDataSource>>;
  /** Adds `chunkMetadataCount` to local file groups. Other kinds stay unchanged. */
  readonly withChunkMetadataCounts: (
    found: readonly NamedDataSource[],
  ) => Promise<readonly NamedDataSource[]>;
  readonly getSetting: (tenant: string, id: string) => Promise<IngestionSettingRow | null>;
}

/** Finds failed deletions of data sources and cleans up after completed ones. */
export interface Deletions {
  /** Deletions that failed at `before` (Unix milliseconds) or earlier, oldest first. */
  readonly failed: (
    before: number,
    limit: number,
  ) => Promise<readonly { readonly dataSourceId: string; readonly tenant: string }[]>;
  /**
   * Deletes leases and schedule plans of data sources that no longer exist. They are left if a process dies, or a
   * schedule is planned, between the last event of the data source and the end of its lease. Returns their number.
   */
  readonly forgetRemoved: () => Promise<number>;
}

/** Jobs that failed because each of their workers was lost, and whose data source has had no other job since. */
export interface LostJobs {
  /** Those that failed at `before` (Unix milliseconds) or earlier, oldest first. */
  readonly failed: (
    before: number,
    limit: number,
  ) => Promise<readonly { readonly dataSourceId: string; readonly jobId: string }[]>;
}
