import type { ServiceIdentifier } from 'inversify';
import type { Express } from 'express';
import type { Authenticate } from '../application/api-key/authenticate.ts';
import type { ApiKeyOperations } from '../application/api-key/operations.ts';
import type { Ground } from '../application/completion/grounding.ts';
import type { Complete } from '../application/completion/complete.ts';
import type { AccessTo } from '../application/authz/access.ts';
import type { AuthzPolicyOperations } from '../application/authz/policy-operations.ts';
import type { AuthzSubjectOperations } from '../application/authz/subject-operations.ts';
import type { AuthzView } from '../application/ports/authz-view.ts';
import type { AuditOperations } from '../application/audit/operations.ts';
import type { AuditTrail } from '../application/data-source/audit-trail.ts';
import type { ConversationOperations } from '../application/conversation/operations.ts';
import type { ConversationTurns } from '../application/conversation/turns.ts';
import type { CrawlErrors } from '../application/data-source/crawl-errors.ts';
import type { CreateCrawl } from '../application/data-source/create-crawl.ts';
import type { DataSourceOperations } from '../application/data-source/operations.ts';
import type { IngestionSettingOperations } from '../application/ingestion-setting/operations.ts';
import type { RecentChunkSets } from '../application/content/recent-chunk-sets.ts';
import type { EventCodec } from '../application/event-codec.ts';
import type { Execute, RetryingExecute } from '../application/execute.ts';
import type { KeptStates } from '../application/folding/kept-states.ts';
import type { SearchOperations } from '../application/search/operations.ts';
import type { SourceGroupOperations } from '../application/source-group/operations.ts';
import type { SourceOperations } from '../application/source/operations.ts';
import type { TagBindingOperations } from '../application/tag/binding-operations.ts';
import type { TagOperations } from '../application/tag/operations.ts';
import type { ModelOffer } from '../application/completion/model-choice.ts';
import type { EnterOnce } from '../application/completion/once.ts';
import type { Replay } from '../application/completion/replay.ts';
import type { AnswerHolds } from '../application/ports/answer-holds.ts';
import type { Extract } from '../application/extract/extract.ts';
import type { Catalog } from '../application/ports/catalog.ts';
import type { ConversationView } from '../application/ports/conversation-view.ts';
import type { CrawlFrontier } from '../application/ports/crawl-frontier.ts';
import type { DueSchedules } from '../application/ports/due-schedules.ts';
import type { ApiKeyView, DataSourceView } from '../application/ports/data-source-view.ts';
import type { Embedders } from '../application/ports/embedder.ts';
import type { EventStore, RetryingEventStore } from '../application/ports/event-store.ts';
import type { FileAreas } from '../application/ports/file-areas.ts';
import type { RedactionPolicyView } from '../application/ports/redaction-policy-view.ts';
import type { TextPatterns } from '../application/ports/text-patterns.ts';
import type { RedactionPolicyOperations } from '../application/redaction/operations.ts';
import type { HidingFor } from '../application/redaction/hiding.ts';
import type { PoliciesInForce } from '../application/redaction/policies-in-force.ts';
import type { Clock, Hash, IdSource, Secrets } from '../application/ports/identity.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { PageFetcher } from '../application/ports/page-fetcher.ts';
import type { PatternCompiler } from '../application/ports/pattern-compiler.ts';
import type { ReadGate } from '../application/ports/read-gate.ts';
import type { Recurrence } from '../application/ports/recurrence.ts';
import type { Reranker } from '../application/ports/reranker.ts';
import type { RobotsPolicy } from '../application/ports/robots-policy.ts';
import type { SitemapReader } from '../application/ports/sitemap-reader.ts';
import type { SourceGroupView } from '../application/ports/source-group-view.ts';
import type { TagView } from '../application/ports/tag-view.ts';
import type { TextExtractor } from '../application/ports/text-extractor.ts';
import type { Tracing } from '../application/ports/tracing.ts';
import type { VectorIndex } from '../application/ports/vector-index.ts';
import type { VectorStore } from '../application/ports/vector-store.ts';
import type { Vault } from '../application/ports/vault.ts';
import type { WordTerms } from '../application/ports/word-terms.ts';
import type { WebSearch } from '../application/ports/web-search.ts';
import type { ApiKeyMarks } from '../application/ports/api-key-marks.ts';
import type { RowMarks } from '../application/ports/row-marks.ts';
import type { Withheld } from '../application/ports/withheld.ts';
import type { WorkLeases } from '../application/ports/work-leases.ts';
import type { PurgeCatalog } from '../application/ports/purge-catalog.ts';
import type { QuestionVector } from '../application/search/question-vector.ts';
import type { RerankResults } from '../application/search/rerank-results.ts';
import type { Scheduling } from '../application/schedule/scheduling.ts';
import type { Purge, RunJob } from '../application/work/job.ts';
import type { Extensions } from '../adapters/postgres/extensions.ts';
import type { SqlDatabase } from '../adapters/postgres/sql.ts';
import type { Graphs } from '../adapters/postgres/vectors/graph-tables.ts';
import type { CatalogProjection } from '../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Leadership } from '../adapters/postgres/projections/leadership.ts';
import type { Projection } from '../adapters/postgres/projections/projection.ts';
import type { ViewProgress } from '../adapters/postgres/projections/progress.ts';
import type { Nudge } from '../adapters/system/nudge.ts';
import type { Config } from './config.ts';
import type { LanguageModels } from './language-model.ts';
import type { EventLog, MeasuredEventFeed } from './event-log.ts';
import type { Role } from './roles.ts';
import type { StartState } from './start-state.ts';
import type { StoreWatches } from './store-watches.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`knowledger.${name}`);

/** What the container hands out. A wrong wiring does not compile. */
export const TOKENS = {
  Config: token<Config>('Config'),
  Clock: token<Clock>('Clock'),
  IdSource: token<IdSource>('IdSource'),
  Hash: token<Hash>('Hash'),
  Secrets: token<Secrets>('Secrets'),
  Logger: token<Logger>('Logger'),
  Tracing: token<Tracing>('Tracing'),
  Database: token<SqlDatabase>('Database'),
  Extensions: token<Extensions>('Extensions'),
  /** As it is, past the watch: for what must see a log that has changed. */
  EventLog: token<EventLog>('EventLog'),
  StoreWatches: token<StoreWatches>('StoreWatches'),
  EventStore: token<EventStore>('EventStore'),
  EventFeed: token<MeasuredEventFeed>('EventFeed'),
  EventCodec: token<EventCodec>('EventCodec'),
  Execute: token<Execute>('Execute'),
  KeptStates: token<KeptStates>('KeptStates'),
  RecentChunkSets: token<RecentChunkSets>('RecentChunkSets'),
  CatalogProjection: token<CatalogProjection>('CatalogProjection'),
  Projections: token<readonly Projection[]>('Projections'),
  Leadership: token<Leadership>('Leadership'),
  ReadGate: token<ReadGate>('ReadGate'),
  ViewProgress: token<ViewProgress>('ViewProgress'),
  DataSourceView: token<DataSourceView>('DataSourceView'),
  ApiKeyView: token<ApiKeyView>('ApiKeyView'),
  TagView: token<TagView>('TagView'),
  SourceGroupView: token<SourceGroupView>('SourceGroupView'),
  /** Texts that can be erased. */
  Vault: token<Vault>('Vault'),
  ConversationView: token<ConversationView>('ConversationView'),
  DueSchedules: token<DueSchedules>('DueSchedules'),
  Withheld: token<Withheld>('Withheld'),
  ApiKeyMarks: token<ApiKeyMarks>('ApiKeyMarks'),
  RowMarks: token<RowMarks>('RowMarks'),
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
  ConversationTurns: token<ConversationTurns>('ConversationTurns'),
  ConversationOperations: token<ConversationOperations>('ConversationOperations'),
  AuditOperations: token<AuditOperations>('AuditOperations'),
  Catalog: token<Catalog>('Catalog'),
  AuthzView: token<AuthzView>('AuthzView'),
  /** What a caller may read: by policy, or all that its key reaches. */
  AccessTo: token<AccessTo>('AccessTo'),
  AuthzPolicyOperations: token<AuthzPolicyOperations>('AuthzPolicyOperations'),
  AuthzSubjectOperations: token<AuthzSubjectOperations>('AuthzSubjectOperations'),
  SourceOperations: token<SourceOperations>('SourceOperations'),
  SearchOperations: token<SearchOperations>('SearchOperations'),
  SourceGroupOperations: token<SourceGroupOperations>('SourceGroupOperations'),
  TagOperations: token<TagOperations>('TagOperations'),
  TagBindingOperations: token<TagBindingOperations>('TagBindingOperations'),
  LanguageModels: token<LanguageModels>('LanguageModels'),
  ModelOffer: token<ModelOffer>('ModelOffer'),
  AnswerHolds: token<AnswerHolds>('AnswerHolds'),
  EnterOnce: token<EnterOnce>('EnterOnce'),
  Replay: token<Replay>('Replay'),
  /** Null where none is configured. */
  Reranker: token<Reranker | null>('Reranker'),
  /** Null where no reranker is configured. */
  RerankResults: token<RerankResults | null>('RerankResults'),
  /** Null where no search engine is configured. */
  WebSearch: token<WebSearch | null>('WebSearch'),
  /** Null where no search engine is configured. */
  Ground: token<Ground | null>('Ground'),
  Complete: token<Complete>('Complete'),
  Extract: token<Extract>('Extract'),
  StartState: token<StartState>('StartState'),
  /** What is not ready to serve, each with a short reason. */
  NotReady: token<() => Promise<Readonly<Record<string, string>>>>('NotReady'),
  RedactionPolicyView: token<RedactionPolicyView>('RedactionPolicyView'),
  TextPatterns: token<TextPatterns>('TextPatterns'),
  PoliciesInForce: token<PoliciesInForce>('PoliciesInForce'),
  HidingFor: token<HidingFor>('HidingFor'),
  RedactionPolicyOperations: token<RedactionPolicyOperations>('RedactionPolicyOperations'),
  Http: token<Express>('Http'),
  /** Health alone, for a process that serves no API. */
  HealthHttp: token<Express>('HealthHttp'),
  /** Name of this process among the owners of leases. */
  Owner: token<string>('Owner'),
  RunCrawl: token<RunJob>('RunCrawl'),
  Purge: token<Purge>('Purge'),
  PurgeCatalog: token<PurgeCatalog>('PurgeCatalog'),
  VectorStore: token<VectorStore>('VectorStore'),
  WordTerms: token<WordTerms>('WordTerms'),
  VectorIndex: token<VectorIndex>('VectorIndex'),
  VectorGraphs: token<Graphs | null>('VectorGraphs'),
  /** Null where no provider is configured. */
  Embedders: token<Embedders | null>('Embedders'),
  /** Null where no provider is configured. */
  QuestionVector: token<QuestionVector | null>('QuestionVector'),
  /** The catalog has moved: what is new in it need not wait for the next look. */
  CatalogNews: token<Nudge>('CatalogNews'),
  /** What a view needs from time to time while nothing is to be projected. */
  /** The view of data sources has moved: a worker of this process need not wait for its next look. */
  News: token<Nudge>('News'),
  /** Aborts when the roles are to stop. */
  Stopping: token<AbortSignal>('Stopping'),
  /** For work that can wait until the event store is back. */
  RetryingStore: token<RetryingEventStore>('RetryingStore'),
  RetryingExecute: token<RetryingExecute>('RetryingExecute'),
  Worker: token<Role>('Worker'),
  Eraser: token<Role>('Eraser'),
  Embedding: token<Role>('Embedding'),
  Scheduler: token<Role>('Scheduler'),
  Projectors: token<Role>('Projectors'),
  VaultSweep: token<Role>('VaultSweep'),
} as const;
