import type { MetadataRecord, SourceType } from '../../domain/source/events.ts';
import type { Page, PageRequest } from './page.ts';
import type { CatalogScope } from './catalog-scope.ts';

export interface SourceRecord {
  readonly id: string;
  readonly sourceGroupId: string;
  readonly sourceType: SourceType;
  readonly title: string;
  readonly url: string;
  /** What the data source calls it: the path of a file, the URL of a page, the name that a push gave it. */
  readonly locator: string;
  /**
   * `file_type`, `media_type`, `size` (bytes), `sha256` of the stored bytes and `indexed_time`: null until indexed. Size
   * and hash are null, too, where contents of it are denied: who knows the rest could try out what these say.
   */
  readonly fileType: string | null;
  /** BCP 47; null where it is not known. */
  readonly language: string | null;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly status: 'indexed' | 'skipped' | 'failed';
  readonly skipReason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Unix seconds, as `indexedTime`. */
  readonly lastSeenTime: number;
  readonly indexedTime: number | null;
  /** Those that the scope sees. */
  readonly contentCount: number;
  /** Contents of it that the policy denies; absent where the policy judges no chunks. */
  readonly deniedCount?: number;
  /** The chunk set of the newest version was not in the file store: there are no contents until the next sync. */
  readonly contentMissing: boolean;
  /** In the order in which they were given. */
  readonly metadata: readonly MetadataRecord[];
}

export interface SourceListFilter {
  readonly sourceGroupId?: string;
  readonly sourceType?: string;
  readonly fileType?: string;
  /** Exactly this URL. */
  readonly url?: string;
}

/**
 * The read model of documents. Eventually consistent: see ReadGate.
 *
 * Pages are cut by key, as those of Contents. `after` must name a source that the scope sees, or once saw; otherwise
 * DomainError invalid_cursor is thrown. An id that is no UUID names nothing.
 */
export interface Sources {
  readonly getSource: (scope: CatalogScope, id: string) => Promise<SourceRecord | null>;
  /** In the order of first appearance, newest first. Removed sources are left out. */
  readonly listSources: (
    scope: CatalogScope,
    filter: SourceListFilter,
    page: PageRequest,
  ) => Promise<Page<SourceRecord>>;
}
