import type { Page, PageRequest } from './page.ts';
import type { GroupScope, CatalogScope } from './catalog.ts';
import type { DataSourceKind, StreamStatus } from '../../domain/data-source/index.ts';

/** A source group: the sources of one data source. It has the id of the data source. */
export interface SourceGroupRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: DataSourceKind;
  readonly status: StreamStatus;
  /** Number of readable sources; 0 as soon as the deletion of the group is requested. */
  readonly sourceCount: number;
  readonly contentCount: number;
  /** In the order of binding. */
  readonly tagIds: readonly string[];
  readonly ingestionSettingId: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Of the newest job; null until it has begun, and until it has ended. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** When the newest job that succeeded ended; null: none has. */
  readonly syncedAt: number | null;
  readonly error: { readonly title: string; readonly message: string } | null;
}

/** All source groups of one kind. */
export interface Holding {
  readonly kind: DataSourceKind;
  readonly groupCount: number;
  readonly sourceCount: number;
  readonly contentCount: number;
  /** Of the stored file of each source; null under a policy, which may hide a part of a file. */
  readonly bytes: number | null;
  /** Groups of which no job has succeeded yet. */
  readonly neverSynced: number;
  /** Of the group whose `syncedAt` is the latest, and the earliest; null: no job has succeeded. */
  readonly newestSyncAt: number | null;
  readonly oldestSyncAt: number | null;
}

/** What is not set lets all groups through. */
export interface SourceGroupFilter {
  readonly ids?: readonly string[];
  readonly statuses?: readonly StreamStatus[];
  readonly kinds?: readonly DataSourceKind[];
  /** How the name begins, in upper or lower case. */
  readonly name?: string;
}

/** `name`: without regard to case, those of one name by age. */
export type SourceGroupSort = 'newest' | 'oldest' | 'name';

/** An item of a data source, such as a page, that could not be fetched or read since its newest job over all items. */
export interface FailedItem {
  readonly sourceGroupId: string;
  readonly sourceGroupName: string;
  readonly kind: DataSourceKind;
  readonly locator: string;
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}

/** `next` is the cursor behind the last row; `total` counts the items of all pages. */
export interface FailedItemPage {
  readonly rows: readonly FailedItem[];
  readonly total: number;
  readonly next?: string;
}

/** What is not set lets all items through. */
export interface FailedItemFilter {
  /** Failed at this time or later, and before that one; Unix milliseconds. */
  readonly from?: number;
  readonly to?: number;
  readonly code?: string;
  readonly kinds?: readonly DataSourceKind[];
  readonly sourceGroupIds?: readonly string[];
}

/**
 * Reads source groups of every kind, without removed ones, and under a policy without those in which it shows no source.
 * Eventually consistent: see ReadGate.
 */
export interface SourceGroupView {
  readonly get: (scope: CatalogScope, id: string) => Promise<SourceGroupRecord | null>;
  /**
   * Newest first, or in the order of `sort`. By name, one that is renamed meanwhile may come twice or not at all, and a
   * cursor that is removed meanwhile is refused.
   *
   * @throws DomainError invalid_cursor, see PageRequest
   */
  readonly list: (
    scope: CatalogScope,
    page: PageRequest,
    filter?: SourceGroupFilter,
    sort?: SourceGroupSort,
  ) => Promise<Page<SourceGroupRecord>>;
  /** What there is of each kind. */
  readonly holdings: (scope: CatalogScope) => Promise<readonly Holding[]>;
  /** Those of the newest source group first, in it by locator. @throws DomainError invalid_cursor */
  readonly failedItems: (
    scope: GroupScope,
    page: PageRequest,
    filter: FailedItemFilter,
  ) => Promise<FailedItemPage>;
}

export interface TagRecord {
  readonly id: string;
  readonly name: string;
  /** Empty if there is none. */
  readonly description: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Number of source groups with this tag, within the scope. */
  readonly sourceGroupCount: number;
}

/** Binds a tag to a source group. */
export interface TagBindingRecord {
  readonly id: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/**
 * Reads tags. Eventually consistent: see ReadGate. A scope restricted to source groups sees only the bindings of these
 * groups and their tags. A data source whose deletion was requested has no tags. Lists are newest first and refuse
 * unknown cursors: see PageRequest.
 */
export interface TagView {
  readonly get: (scope: GroupScope, id: string) => Promise<TagRecord | null>;
  readonly list: (scope: GroupScope, page: PageRequest) => Promise<Page<TagRecord>>;
  readonly getBinding: (scope: GroupScope, id: string) => Promise<TagBindingRecord | null>;
  readonly listBindings: (scope: GroupScope, page: PageRequest) => Promise<Page<TagBindingRecord>>;
  /** The subset of these data sources whose deletion was requested. */
  readonly deletedAmong: (sourceGroupIds: readonly string[]) => Promise<ReadonlySet<string>>;
}
