import type { DataSourceKind, StreamStatus } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';
import type { CatalogScope } from './catalog-scope.ts';

/** The sources of one data source, and what holds for all of them. Its id is that of the data source. */
export interface SourceGroupRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: DataSourceKind;
  readonly status: StreamStatus;
  /** Of what can be read: 0 from the moment on in which its deletion is requested. */
  readonly sourceCount: number;
  readonly contentCount: number;
  /** In the order in which they were bound. */
  readonly tagIds: readonly string[];
  readonly ingestionSettingId: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Reads of source groups of every kind. Removed ones are absent. Eventually consistent: see ReadGate. */
export interface SourceGroupView {
  readonly get: (scope: CatalogScope, id: string) => Promise<SourceGroupRecord | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (scope: CatalogScope, page: PageRequest) => Promise<Page<SourceGroupRecord>>;
}
