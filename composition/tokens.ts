import type { ServiceIdentifier } from 'inversify';
import type { Express } from 'express';
import type { Authenticate } from '../application/api-key/authenticate.ts';
import type { ApiKeyOperations } from '../application/api-key/operations.ts';
import type { AuditOperations } from '../application/audit/operations.ts';
import type { AuditTrail } from '../application/data-source/audit-trail.ts';
import type { CrawlErrors } from '../application/data-source/crawl-errors.ts';
import type { CreateCrawl } from '../application/data-source/create-crawl.ts';
import type { DataSourceOperations } from '../application/data-source/operations.ts';
import type { IngestionSettingOperations } from '../application/ingestion-setting/operations.ts';
import type { RecentChunkSets } from '../application/content/recent-chunk-sets.ts';
import type { EventCodec } from '../application/event-codec.ts';
import type { Execute } from '../application/execute.ts';
import type { SearchOperations } from '../application/search/operations.ts';
import type { SourceOperations } from '../application/source/operations.ts';
import type { Catalog } from '../application/ports/catalog.ts';
import type { CrawlFrontier } from '../application/ports/crawl-frontier.ts';
import type { DueSchedules } from '../application/ports/due-schedules.ts';
import type { ApiKeyView, DataSourceView } from '../application/ports/data-source-view.ts';
import type { EventStore } from '../application/ports/event-store.ts';
import type { PostgresEventFeed } from '../adapters/postgres/event-feed.ts';
import type { FileAreas } from '../application/ports/file-areas.ts';
import type { Clock, Hash, IdSource, Secrets } from '../application/ports/identity.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { PageFetcher } from '../application/ports/page-fetcher.ts';
import type { PatternCompiler } from '../application/ports/pattern-compiler.ts';
import type { ReadGate } from '../application/ports/read-gate.ts';
import type { Recurrence } from '../application/ports/recurrence.ts';
import type { RobotsPolicy } from '../application/ports/robots-policy.ts';
import type { SitemapReader } from '../application/ports/sitemap-reader.ts';
import type { TextExtractor } from '../application/ports/text-extractor.ts';
import type { Tracing } from '../application/ports/tracing.ts';
import type { WorkLeases } from '../application/ports/work-leases.ts';
import type { PurgeCatalog } from '../application/ports/purge-catalog.ts';
import type { Scheduling } from '../application/schedule/scheduling.ts';
import type { Purge, RunJob } from '../application/work/job.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { CatalogProjection } from '../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Projection } from '../adapters/postgres/projections/projection.ts';
import type { Config } from './config.ts';
import type { Role } from './roles.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`knowledger.${name}`);

// oxlint-disable-next-line typescript/no-explicit-any -- every adapter names the tables that it uses
export type AnyDatabase = Database<any>;

/** What the container hands out. A wrong wiring does not compile. */
export const TOKENS = {
  Config: token<Config>('Config'),
  Clock: token<Clock>('Clock'),
  IdSource: token<IdSource>('IdSource'),
  Hash: token<Hash>('Hash'),
  Secrets: token<Secrets>('Secrets'),
  Logger: token<Logger>('Logger'),
  Tracing: token<Tracing>('Tracing'),
  Database: token<AnyDatabase>('Database'),
  EventStore: token<EventStore>('EventStore'),
  EventFeed: token<PostgresEventFeed>('EventFeed'),
  EventCodec: token<EventCodec>('EventCodec'),
  Execute: token<Execute>('Execute'),
  RecentChunkSets: token<RecentChunkSets>('RecentChunkSets'),
  CatalogProjection: token<CatalogProjection>('CatalogProjection'),
  Projections: token<readonly Projection[]>('Projections'),
  ReadGate: token<ReadGate>('ReadGate'),
  DataSourceView: token<DataSourceView>('DataSourceView'),
  ApiKeyView: token<ApiKeyView>('ApiKeyView'),
  DueSchedules: token<DueSchedules>('DueSchedules'),
  WorkLeases: token<WorkLeases>('WorkLeases'),
  CrawlFrontier: token<CrawlFrontier>('CrawlFrontier'),
  FileAreas: token<FileAreas>('FileAreas'),
  PageFetcher: token<PageFetcher>('PageFetcher'),
  RobotsPolicies: token<() => RobotsPolicy>('RobotsPolicies'),
  SitemapReader: token<SitemapReader>('SitemapReader'),
  PatternCompiler: token<PatternCompiler>('PatternCompiler'),
  TextExtractor: token<TextExtractor>('TextExtractor'),
  Recurrence: token<Recurrence>('Recurrence'),
  Scheduling: token<Scheduling>('Scheduling'),
  Authenticate: token<Authenticate>('Authenticate'),
  CreateCrawl: token<CreateCrawl>('CreateCrawl'),
  DataSourceOperations: token<DataSourceOperations>('DataSourceOperations'),
  AuditTrail: token<AuditTrail>('AuditTrail'),
  CrawlErrors: token<CrawlErrors>('CrawlErrors'),
  IngestionSettingOperations: token<IngestionSettingOperations>('IngestionSettingOperations'),
  ApiKeyOperations: token<ApiKeyOperations>('ApiKeyOperations'),
  AuditOperations: token<AuditOperations>('AuditOperations'),
  Catalog: token<Catalog>('Catalog'),
  SourceOperations: token<SourceOperations>('SourceOperations'),
  SearchOperations: token<SearchOperations>('SearchOperations'),
  /** What is not ready to serve, each with a short reason. */
  NotReady: token<() => Promise<Readonly<Record<string, string>>>>('NotReady'),
  Http: token<Express>('Http'),
  /** Name of this process among the owners of leases. */
  Owner: token<string>('Owner'),
  RunCrawl: token<RunJob>('RunCrawl'),
  Purge: token<Purge>('Purge'),
  PurgeCatalog: token<PurgeCatalog>('PurgeCatalog'),
  /** What a view needs from time to time while nothing is to be projected. */
  Upkeep: token<(view: string, signal: AbortSignal) => Promise<void>>('Upkeep'),
  Worker: token<Role>('Worker'),
  Scheduler: token<Role>('Scheduler'),
  Projectors: token<Role>('Projectors'),
} as const;
