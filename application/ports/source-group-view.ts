import type { Page, PageRequest } from './page.ts';
import type { GroupScope, CatalogScope } from './catalog.ts';
import type { DataSourceKind, StreamStatus } from '../../domain/data-source/index.ts';

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

export interface TagRecord {
  readonly id: string;
  readonly name: string;
  /** Empty: none. */
  readonly description: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Source groups that carry it, within the scope. */
  readonly sourceGroupCount: number;
}

/** That a source group carries a tag. */
export interface TagBindingRecord {
  readonly id: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/**
 * Reads of tags. Eventually consistent: see ReadGate. A scope that is restricted to source groups sees the bindings of
 * these, and the tags that they carry. A data source whose deletion was requested carries none. Lists are newest first
 * and refuse unknown cursors: see PageRequest.
 */
export interface TagView {
  readonly get: (scope: GroupScope, id: string) => Promise<TagRecord | null>;
  readonly list: (scope: GroupScope, page: PageRequest) => Promise<Page<TagRecord>>;
  readonly getBinding: (scope: GroupScope, id: string) => Promise<TagBindingRecord | null>;
  readonly listBindings: (scope: GroupScope, page: PageRequest) => Promise<Page<TagBindingRecord>>;
  /** Of these data sources, those whose deletion was requested. */
  readonly goneAmong: (sourceGroupIds: readonly string[]) => Promise<ReadonlySet<string>>;
}
