import type { Page, PageRequest } from './page.ts';
import type { GroupScope } from './catalog-scope.ts';

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
