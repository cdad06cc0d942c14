import type { Request } from 'express';
import type { Authenticate } from '../../application/api-key/authenticate.ts';
import type { ApiKeyOperations } from '../../application/api-key/operations.ts';
import type { AuditOperations } from '../../application/audit/operations.ts';
import type { Caller } from '../../application/caller.ts';
import type { AuditTrail } from '../../application/data-source/audit-trail.ts';
import type { CreateCrawl } from '../../application/data-source/create-crawl.ts';
import type { CrawlErrors } from '../../application/data-source/crawl-errors.ts';
import type { DataSourceOperations } from '../../application/data-source/operations.ts';
import type { IngestionSettingOperations } from '../../application/ingestion-setting/operations.ts';
import type { Page, PageRequest } from '../../application/page.ts';
import type { ContentRecord, SearchResult } from '../../application/ports/catalog.ts';
import type { Clock, IdSource } from '../../application/ports/identity.ts';
import type { Logger } from '../../application/ports/logger.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { SourceOperations } from '../../application/source/operations.ts';
import type { Scope } from '../../domain/api-key/index.ts';

/** What the HTTP adapter drives. */
export interface HttpDeps {
  readonly authenticate: Authenticate;
  readonly createCrawl: CreateCrawl;
  readonly dataSources: DataSourceOperations;
  readonly auditTrail: AuditTrail;
  readonly crawlErrors: CrawlErrors;
  readonly settings: IngestionSettingOperations;
  readonly sources: SourceOperations;
  readonly search: SearchOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly events: AuditOperations;
  readonly gate: ReadGate;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  /** What is not ready to serve, each with a short reason; empty: ready. Must answer soon, and never reject. */
  readonly notReady: () => Promise<Readonly<Record<string, string>>>;
  /** Aborts when the server is to stop: streams end, answers close their connections, readiness is withdrawn. */
  readonly draining: AbortSignal;
  /** Milliseconds between comments on an idle event stream; 15 s where it is not given. */
  readonly keepAliveMs?: number;
}

/** What streams need beside their source. */
export interface StreamDeps {
  readonly draining: AbortSignal;
  readonly keepAliveMs?: number | undefined;
  /** Whether the key of a request that is still being answered would be let in now. */
  readonly stillAllowed: (req: Request, scope: Scope) => Promise<boolean>;
}

/** What search and query filter by, as the caller wrote it. All that is given must hold. */
export interface RetrievalFilter {
  readonly source_types?: readonly string[];
  readonly file_types?: readonly string[];
  /** Unix seconds, inclusive. */
  readonly date_from?: number;
  readonly date_to?: number;
  readonly domains?: readonly string[];
  /** Unread filter objects: `metadata` and `source_metadata` on sources, the other two on chunks. */
  readonly metadata?: unknown;
  readonly source_metadata?: unknown;
  readonly chunk_metadata?: unknown;
  readonly metadata_filter?: unknown;
}
export type SearchMode = 'hybrid' | 'keyword' | 'vector';
export interface Search {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  readonly rerank: boolean;
  readonly min_score?: number;
  readonly use_postfilter: boolean;
  readonly filter: RetrievalFilter;
}
export interface Found extends SearchResult {
  readonly query_id: string;
  /** How it was searched in fact. */
  readonly mode: SearchMode;
}
export interface SearchOperations {
  /** @throws DomainError filter_invalid; not_configured for what no provider is set up for */
  readonly search: (caller: Caller, search: Search) => Promise<Found>;
  /** @throws DomainError filter_invalid, invalid_cursor */
  readonly query: (
    caller: Caller,
    query: {
      readonly filter: RetrievalFilter;
      readonly sort: 'timestamp' | 'title';
      readonly page: PageRequest;
    },
  ) => Promise<Page<ContentRecord>>;
}
