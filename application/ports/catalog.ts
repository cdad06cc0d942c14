import type { MetadataValueType, MetadataRecord, SourceType } from '../../domain/source/events.ts';

import type { Page, PageRequest } from './page.ts';
import type { Filter } from '../../domain/filter/filter.ts';

/** What a key reaches: its tenant, and unless `only` is null, nothing outside these source groups. */
export interface GroupScope {
  readonly tenant: string;
  readonly only: readonly string[] | null;
}

/**
 * Whose catalog is read. Nothing of another tenant is ever seen, nothing of a data source whose deletion was
 * requested, and, unless `only` is null, nothing outside these source groups: an empty list sees nothing. What may not
 * be seen is treated as absent: it is not ranked, not counted, and no cursor.
 */
export interface CatalogScope extends GroupScope {
  /** Null: no policy is asked. */
  readonly access: Access | null;
}

/**
 * What a policy allows one principal. A content is seen when its source satisfies `sources` and itself `chunks`. A source
 * is seen when it satisfies `sources` and, where `chunks` asks anything, one of its contents is seen.
 */
export interface Access {
  readonly sources: Filter;
  readonly chunks: Filter;
}

/** Whether a source may be seen in part: what is made from all of its text then tells too much. */
export const judgesChunks = ({ access }: CatalogScope): boolean =>
  access !== null && access.chunks.parts.length > 0;

/**
 * Tags that the source group of a content carries, by name and by id: one of them (OR), or all of them (AND). A tag that
 * there is not is carried by nothing. Names are compared as they are written.
 */
export interface TagFilter {
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly logic: 'AND' | 'OR';
}

/** Conditions on contents; all that are given must hold. An empty list of values lets nothing through. */
export interface ContentFilter {
  readonly sourceGroupIds?: readonly string[];
  readonly tags?: TagFilter;
  readonly sourceTypes?: readonly string[];
  readonly fileTypes?: readonly string[];
  /** Bounds on `timestamp`, Unix seconds, inclusive. */
  readonly dateFrom?: number;
  readonly dateTo?: number;
  /** The host of the URL is one of these or lies under one. */
  readonly domains?: readonly string[];
  /** On the metadata of the source, and of the chunk itself. */
  readonly sourceMetadata?: readonly Filter[];
  readonly chunkMetadata?: readonly Filter[];
}

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
interface Sources {
  readonly getSource: (scope: CatalogScope, id: string) => Promise<SourceRecord | null>;
  /** In the order of first appearance, newest first. Removed sources are left out. */
  readonly listSources: (
    scope: CatalogScope,
    filter: SourceListFilter,
    page: PageRequest,
  ) => Promise<Page<SourceRecord>>;
}

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

/** Everything that is read of documents and their chunks, from one read model. */
export interface Catalog extends Contents, Sources {
  /** Types under which values of these keys were stored, within the scope; a key without any value there is absent. */
  readonly metadataTypes: (
    scope: CatalogScope,
    of: 'source' | 'chunk',
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly MetadataValueType[]>>;
}

/** What a deletion must know of the read models. */
export interface PurgeCatalog {
  /** Rows that are there, hidden ones included. */
  readonly countOf: (
    dataSourceId: string,
  ) => Promise<{ readonly sources: number; readonly contents: number }>;
  /** Ids of sources that are there, hidden ones included, up to `limit`. */
  readonly sourceIds: (tenant: string, dataSourceId: string, limit: number) => Promise<readonly string[]>;
  /** Hashes of all files that readable documents of the data source refer to. */
  readonly filesOf: (dataSourceId: string) => Promise<ReadonlySet<string>>;
}
