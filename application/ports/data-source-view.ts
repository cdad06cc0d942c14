import type { DataSourceKind, JobStatus } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from '../page.ts';
import type { ApiKeyRow } from '../read-models/api-key-row.ts';
import type { DataSourceRow } from '../read-models/data-source-row.ts';
import type { IngestionSettingRow } from '../read-models/ingestion-setting-row.ts';

export interface NamedDataSource {
  readonly row: DataSourceRow;
  readonly name: string;
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
  readonly getSetting: (tenant: string, id: string) => Promise<IngestionSettingRow | null>;
}

/** Look-ups of API keys. */
export interface ApiKeyView {
  readonly byHash: (keyHash: string) => Promise<ApiKeyRow | null>;
  readonly get: (tenant: string, id: string) => Promise<ApiKeyRow | null>;
  /**
   * Newest first. `only` leaves the keys that are restricted to some of these source groups. `after` may be any id: a
   * revoked key has no row here.
   */
  readonly list: (
    tenant: string,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<ApiKeyRow>>;
}
