import type { MetadataValueType, MetadataRecord, SourceType } from '../../domain/source/events.ts';

import type { Page, PageRequest } from './page.ts';
import type { Filter } from '../../domain/filter/filter.ts';

/** What a key may access: its tenant and, unless `only` is null, only these source groups. */
export interface GroupScope {
  readonly tenant: string;
  readonly only: readonly string[] | null;
}

/**
 * The part of the catalog that a reader may see. It excludes other tenants, data sources whose deletion was requested
 * and, unless `only` is null, all source groups but these; an empty list sees nothing. Hidden records count as absent:
 * they are not ranked, not counted, and no valid cursors.
 */
export interface CatalogScope extends GroupScope {
  /** Null: no policy applies. */
  readonly access: Access | null;
}

/**
 * What a policy allows one principal. A content is visible if its source satisfies `sources` and the content satisfies
 * `chunks`. A source is visible if it satisfies `sources` and, when `chunks` has conditions, at least one of its
 * contents is visible.
 */
export interface Access {
  readonly sources: Filter;
  readonly chunks: Filter;
}

/**
 * Whether a policy may hide some contents of a visible source. Values derived from the whole text would then reveal too
 * much.
 */
export const filtersChunks = ({ access }: CatalogScope): boolean =>
  access !== null && access.chunks.parts.length > 0;

/**
 * Tags of the content's source group, by name and by id: at least one of them (OR), or all of them (AND). An unknown
 * tag matches nothing. Names are case-sensitive.
 */
export interface TagFilter {
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly logic: 'AND' | 'OR';
}

/** Conditions on contents; all given conditions must hold. An empty list of values matches nothing. */
export interface ContentFilter {
  readonly sourceGroupIds?: readonly string[];
  readonly tags?: TagFilter;
  readonly sourceTypes?: readonly string[];
  readonly fileTypes?: readonly string[];
  /** Bounds on `timestamp`, Unix seconds, inclusive. */
  readonly dateFrom?: number;
  readonly dateTo?: number;
  /** The host of the URL is one of these domains or a subdomain of one. */
  readonly domains?: readonly string[];
  /** Conditions on the metadata of the source and of the chunk. */
  readonly sourceMetadata?: readonly Filter[];
  readonly chunkMetadata?: readonly Filter[];
}

export interface SourceRecord {
  readonly id: string;
  readonly sourceGroupId: string;
  readonly sourceType: SourceType;
  readonly title: string;
  readonly url: string;
  /** The data source's name for it: the path of a file, the URL of a page, or the name that a push gave it. */
  readonly locator: string;
  /**
   * `file_type`, `media_type`, `size` (bytes), `sha256` of the stored bytes and `indexed_time` are null until the
   * source is indexed. Size and hash are also null if the policy denies some of its contents: a reader who knows the
   * rest could guess the denied part and verify the guess against them.
   */
  readonly fileType: string | null;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly status: 'indexed' | 'skipped' | 'failed';
  readonly skipReason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Unix seconds, like `indexedTime`. */
  readonly lastSeenTime: number;
  readonly indexedTime: number | null;
  /** Contents that the scope may see. */
  readonly contentCount: number;
  /** Contents that the policy denies; absent if the policy has no conditions on chunks. */
  readonly deniedCount?: number;
  /** The file store lacked the chunk set of the newest version. The source has no contents until the next sync. */
  readonly contentMissing: boolean;
  /** In the order given. */
  readonly metadata: readonly MetadataRecord[];
}

export interface SourceListFilter {
  readonly sourceGroupId?: string;
  readonly sourceType?: string;
  readonly fileType?: string;
  /** Exactly this URL. */
  readonly url?: string;
  readonly statuses?: readonly SourceRecord['status'][];
  /** A part of its title, URL or locator, without regard to case. Every source that the other conditions leave is compared. */
  readonly contains?: string;
}

/** By first appearance, or by the first 200 characters of the title in the order of code points. */
export type SourceSort = 'newest' | 'title';

/**
 * The read model of documents. Eventually consistent: see ReadGate.
 *
 * Paging is by key, as for Contents. `after` must name a source that the scope sees or once saw; otherwise DomainError
 * invalid_cursor is thrown. An id that is not a UUID matches nothing.
 */
interface Sources {
  readonly getSource: (scope: CatalogScope, id: string) => Promise<SourceRecord | null>;
  /**
   * Without removed sources; newest first, or in the order of `sort`. By title, one whose title changes meanwhile may come
   * twice or not at all.
   */
  readonly listSources: (
    scope: CatalogScope,
    filter: SourceListFilter,
    page: PageRequest,
    sort?: SourceSort,
  ) => Promise<Page<SourceRecord>>;
}

/** One indexed chunk, in the shape of the API's Content object. */
export interface ContentRecord {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  /** Title of the source. */
  readonly title: string;
  /** When this text was first indexed, in Unix seconds. Later syncs keep it as long as the text is unchanged. */
  readonly timestamp: number;
  readonly fileType: string;
  /** 0 for sources without pages. */
  readonly pageNumber: number;
  readonly sourceType: SourceType;
  readonly sourceId: string;
  readonly sourceGroupId: string;
  /** Keywords of the source; empty if a policy has conditions on chunks. */
  readonly keywords: readonly string[];
}

export interface ContentQuery {
  readonly filter: ContentFilter;
  /** `timestamp`: newest first. `title`: ascending by code points. Ties are ordered by id, in the same direction. */
  readonly sort: 'timestamp' | 'title';
  readonly page: PageRequest;
}

/**
 * The read model of chunks. Eventually consistent: see ReadGate.
 *
 * Paging is by key: records that are added or removed meanwhile cause no repeats and no gaps. `after` must name a
 * record that the scope sees; otherwise DomainError invalid_cursor is thrown. An id that is not a UUID matches nothing.
 */
export interface Contents {
  /** One page of the contents that match the filter. */
  readonly query: (scope: CatalogScope, query: ContentQuery) => Promise<Page<ContentRecord>>;
  readonly getContent: (scope: CatalogScope, id: string) => Promise<ContentRecord | null>;
  /**
   * The contents with these ids that the scope sees, in the order of the ids. There may be many: rankings are read this
   * way.
   */
  readonly contentsById: (scope: CatalogScope, ids: readonly string[]) => Promise<readonly ContentRecord[]>;
  /**
   * In reading order; null when there is no such source. @throws DomainError invalid_cursor, also for `around`
   */
  readonly contentsOfSource: (
    scope: CatalogScope,
    sourceId: string,
    page: PassageRequest,
  ) => Promise<PassagePage | null>;
}

/** `around`: id of a content that stands in the middle of the page, where enough stand before it; not with `after`. */
export interface PassageRequest extends PageRequest {
  readonly around?: string;
}

export interface PassagePage extends Page<ContentRecord> {
  /** How many of the document stand before the page. */
  readonly before: number;
}

/** Reads documents and their chunks from one read model. */
export interface Catalog extends Contents, Sources {
  /** The types with which values of these keys are stored, within the scope. A key without a value is absent, except for `heading` and `page_number` of chunks. */
  readonly metadataTypes: (
    scope: CatalogScope,
    of: 'source' | 'chunk',
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly MetadataValueType[]>>;
}

/** What the deletion of a data source needs from the read models. */
export interface PurgeCatalog {
  /** Number of rows, hidden ones included. */
  readonly countOf: (
    dataSourceId: string,
  ) => Promise<{ readonly sources: number; readonly contents: number }>;
  /** Ids of existing sources, hidden ones included, up to `limit`. */
  readonly sourceIds: (tenant: string, dataSourceId: string, limit: number) => Promise<readonly string[]>;
  /** Hashes of all files that readable documents of the data source refer to. */
  readonly filesOf: (dataSourceId: string) => Promise<ReadonlySet<string>>;
}
