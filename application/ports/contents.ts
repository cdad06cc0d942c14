import type { SourceType } from '../../domain/source/events.ts';
import type { Page, PageRequest } from './page.ts';
import type { CatalogScope } from './catalog-scope.ts';
import type { ContentFilter } from './content-filter.ts';

/** One indexed chunk, in the form of the interface's Content object. */
export interface ContentRecord {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  /** Title of the document. */
  readonly title: string;
  /** When this text was first indexed, Unix seconds. Unchanged text keeps it over later syncs. */
  readonly timestamp: number;
  readonly fileType: string;
  /** 0 for sources without pages. */
  readonly pageNumber: number;
  readonly sourceType: SourceType;
  readonly sourceId: string;
  /** Of the document; none where a policy judges chunks. */
  readonly keywords: readonly string[];
}

export interface ContentQuery {
  readonly filter: ContentFilter;
  /** `timestamp`: newest first. `title`: ascending by code points. Then by id, in the same direction. */
  readonly sort: 'timestamp' | 'title';
  readonly page: PageRequest;
}

/**
 * The read model of chunks. Eventually consistent: see ReadGate.
 *
 * Pages are cut by key: records that come or go meanwhile neither repeat nor hide others. `after` must name a record
 * that the scope sees; otherwise DomainError invalid_cursor is thrown. An id that is no UUID names nothing.
 */
export interface Contents {
  /** Every content that the filter lets through, page by page. */
  readonly query: (scope: CatalogScope, query: ContentQuery) => Promise<Page<ContentRecord>>;
  readonly getContent: (scope: CatalogScope, id: string) => Promise<ContentRecord | null>;
  /** Those of these that the scope sees, in the order of the ids, which may be many: what was ranked is read by it. */
  readonly contentsById: (scope: CatalogScope, ids: readonly string[]) => Promise<readonly ContentRecord[]>;
  /** In reading order; null when there is no such source. */
  readonly contentsOfSource: (
    scope: CatalogScope,
    sourceId: string,
    page: PageRequest,
  ) => Promise<Page<ContentRecord> | null>;
}
