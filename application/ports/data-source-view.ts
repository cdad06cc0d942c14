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

/** One data source as it is read: in lists, by workers looking for work, and in the answer to every write. */
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
  readonly epoch: number;
  /** Every occurrence of the schedule up to this instant is handled; 0 = none. */
  readonly tickedUntil: number;
  readonly counts: JobCounts;
  /** Unix milliseconds, like all `…At`. The job may not be claimed before. */
  readonly notBefore: number;
  readonly createdAt: number;
  /** The newest upload of files; null where there was none. */
  readonly uploadedAt: number | null;
  /** JobStarted of the newest attempt. */
  readonly startedAt: number | null;
  /** The event that ended the newest job. */
  readonly endedAt: number | null;
  /** Since when it has this status. */
  readonly statusSince: number;
  /** When the worker, or an executor outside, was last heard of in the stream. */
  readonly heardAt: number;
  /** Revision of the newest event that this row holds. */
  readonly revision: bigint;
}

/** One ingestion setting as it is read. */
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
  /** Of its setting, as they are in force for the next job; null where that is not known yet. */
  readonly parameters: Parameters | null;
  /** Of a local file group: contents that have a value of one of its declared keys. */
  readonly chunkMetadatas?: number;
}

/** What a list leaves out; all that is given must hold. */
export interface DataSourceFilter {
  readonly status?: JobStatus;
  /** How the name begins, as it is written. */
  readonly name?: string;
}

/** Reads of data sources and settings. Removed ones are absent. Eventually consistent: see ReadGate. */
export interface DataSourceView {
  readonly get: (tenant: string, kind: DataSourceKind, id: string) => Promise<NamedDataSource | null>;
  /**
   * Newest first. `only` restricts to these ids. The total is that of what passes the filter within them. The cursor may
   * be a data source that the filter leaves out: its status may have changed since the page before.
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
  /** The same, with what the catalog knows of local file groups; those of other kinds as they are. */
  readonly withChunkMetadatas: (found: readonly NamedDataSource[]) => Promise<readonly NamedDataSource[]>;
  readonly getSetting: (tenant: string, id: string) => Promise<IngestionSettingRow | null>;
}

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
