import type { Filter } from '../../domain/filter/filter.ts';
import type { MetadataRecord, MetadataValueType, SourceType } from '../../domain/source/events.ts';
import type { Page, PageRequest } from '../page.ts';
import type { VectorQuery } from './vector-query.ts';

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

/** One indexed chunk, in the form of the interface's Content object. */
export interface ContentRecord {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  /** Title of the document. */
  readonly title: string;
  /** When this text was first indexed, Unix seconds. Unchanged text keeps it over later syncs. */
  readonly timestamp: number;
  readonly file_type: string;
  /** 0 for sources without pages. */
  readonly page_number: number;
  readonly source_type: SourceType;
  readonly source_id: string;
  /** Of the document; none where a policy judges chunks. */
  readonly keywords: readonly string[];
}

export interface SourceRecord {
  readonly id: string;
  readonly source_group_id: string;
  readonly source_type: SourceType;
  readonly title: string;
  readonly url: string;
  /**
   * `file_type`, `media_type`, `size` (bytes), `sha256` of the stored bytes and `indexed_time`: null until indexed. Size
   * and hash are null, too, where contents of it are denied: who knows the rest could try out what these say.
   */
  readonly file_type: string | null;
  readonly media_type: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly status: 'indexed' | 'skipped' | 'failed';
  readonly skip_reason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Unix seconds, as `indexed_time`. */
  readonly last_seen_time: number;
  readonly indexed_time: number | null;
  /** Those that the scope sees. */
  readonly content_count: number;
  /** Contents of it that the policy denies; absent where the policy judges no chunks. */
  readonly denied_count?: number;
  /** The chunk set of the newest version was not in the file store: there are no contents until the next sync. */
  readonly content_missing: boolean;
  /** In the order in which they were given. */
  readonly metadata: readonly MetadataRecord[];
}

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
  readonly source_group_ids?: readonly string[];
  readonly tags?: TagFilter;
  readonly source_types?: readonly string[];
  readonly file_types?: readonly string[];
  /** Bounds on `timestamp`, Unix seconds, inclusive. */
  readonly date_from?: number;
  readonly date_to?: number;
  /** The host of the URL is one of these or lies under one. */
  readonly domains?: readonly string[];
  /** On the metadata of the source, and of the chunk itself. */
  readonly source_metadata?: readonly Filter[];
  readonly chunk_metadata?: readonly Filter[];
}

export interface SearchRequest {
  readonly query: string;
  readonly filter: ContentFilter;
  /** 1 to 1,000. */
  readonly limit: number;
  /** The question as a vector: words and vectors rank together then, or with `vector_only` vectors alone. */
  readonly vector?: VectorQuery;
  readonly vector_only?: boolean;
  /** Scores are 0 to 1: relative to the best match of the query, or to what would be the best of every ranking. */
  readonly min_score?: number;
  /** Rank what the scope sees first, then filter until `limit` is full. Scores then do not depend on the filter. */
  readonly use_postfilter?: boolean;
}
export interface SearchHit {
  readonly content: ContentRecord;
  readonly score: number;
  /** Position from 1 in each ranking that found it. */
  readonly ranks: { readonly keyword?: number; readonly vector?: number };
}
export interface SearchResult {
  /** Best first; equal scores by content id. */
  readonly results: readonly SearchHit[];
  /**
   * Contents that were ranked: before the filter with `use_postfilter`, otherwise after it. Of two rankings, that of the
   * one that ranked more: as soon as everything is embedded, these hold all of the other.
   */
  readonly total_candidates: number;
}

export interface ContentQuery {
  readonly filter: ContentFilter;
  /** `timestamp`: newest first. `title`: ascending by code points. Then by id, in the same direction. */
  readonly sort: 'timestamp' | 'title';
  readonly page: PageRequest;
}

export interface SourceListFilter {
  readonly source_group_id?: string;
  readonly source_type?: string;
  readonly file_type?: string;
  /** Exactly this URL. */
  readonly url?: string;
}

/**
 * The read model of documents and their chunks. Eventually consistent: see ReadGate.
 *
 * Pages are cut by key: records that come or go meanwhile neither repeat nor hide others. `after` must name a record
 * that the scope sees (for sources, or once saw); otherwise DomainError invalid_cursor is thrown. An id that is no
 * UUID names nothing.
 */
export interface Catalog {
  /**
   * By words, see LexicalIndex, by vectors, see VectorIndex, or by both, see `fuse`. Words that nobody has written find
   * nothing; a vector ranks whatever has one.
   */
  readonly search: (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;
  /** Every content that the filter lets through, page by page. */
  readonly query: (scope: CatalogScope, query: ContentQuery) => Promise<Page<ContentRecord>>;
  readonly getContent: (scope: CatalogScope, id: string) => Promise<ContentRecord | null>;
  readonly getSource: (scope: CatalogScope, id: string) => Promise<SourceRecord | null>;
  /** In the order of first appearance, newest first. Removed sources are left out. */
  readonly listSources: (
    scope: CatalogScope,
    filter: SourceListFilter,
    page: PageRequest,
  ) => Promise<Page<SourceRecord>>;
  /** In reading order; null when there is no such source. */
  readonly contentsOfSource: (
    scope: CatalogScope,
    sourceId: string,
    page: PageRequest,
  ) => Promise<Page<ContentRecord> | null>;
  /** Types under which values of these keys were stored, within the scope; a key without any value there is absent. */
  readonly metadataTypes: (
    scope: CatalogScope,
    of: 'source' | 'chunk',
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly MetadataValueType[]>>;
}
