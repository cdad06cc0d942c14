import type { Request } from 'express';
import type { CancelRun } from '../../application/agents/runs/cancel-run.ts';
import type { CreateRun } from '../../application/agents/runs/create-run.ts';
import type { DeleteThread } from '../../application/agents/runs/delete-thread.ts';
import type { AgentLists } from '../../application/agents/runs/lists.ts';
import type { ReadRun } from '../../application/agents/runs/read-run.ts';
import type { RunEvents } from '../../application/agents/runs/run-events.ts';
import type { Authenticate } from '../../application/access/api-keys/authenticate.ts';
import type { ApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import type { AuthzPolicyOperations } from '../../application/access/authz/policy-operations.ts';
import type { AuthzSubjectOperations } from '../../application/access/authz/subject-operations.ts';
import type { AuditOperations } from '../../application/audit/operations.ts';
import type { AuditTrail } from '../../application/sources/data-sources/audit-trail.ts';
import type { Complete } from '../../application/answers/completions/complete.ts';
import type { ConversationOperations } from '../../application/answers/conversations/operations.ts';
import type { CreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import type { ReadUnitErrors } from '../../application/sources/ingestion/unit-errors.ts';
import type { DataSourceOperations } from '../../application/sources/ingestion/operations.ts';
import type { Extract } from '../../application/answers/extract/extract.ts';
import type { IngestionSettingOperations } from '../../application/sources/ingestion/setting-operations.ts';
import type { RedactionPolicyOperations } from '../../application/redaction/operations.ts';
import type { Clock, IdSource } from '../../application/ports/identity.ts';
import type { EventFeed } from '../../application/ports/event-store.ts';
import type { Logger } from '../../application/ports/logger.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { Scrape } from '../../application/sources/scrape/scrape.ts';
import type { SecretOperations } from '../../application/access/secrets/operations.ts';
import type { SearchOperations } from '../../application/search/operations.ts';
import type { WrittenSearch } from '../../application/search/written-search.ts';
import type { SourceGroupOperations } from '../../application/sources/source-groups/operations.ts';
import type { SourceOperations } from '../../application/sources/documents/operations.ts';
import type { TagBindingOperations } from '../../application/sources/tags/binding-operations.ts';
import type { TagOperations } from '../../application/sources/tags/operations.ts';
import type { KnowledgeResources } from '../../application/agents/tools/resources.ts';
import type { KnowledgeTools } from '../../application/agents/tools/tools.ts';
import type { PushJobs } from '../../application/sources/pushes/jobs.ts';
import type { PutDocument } from '../../application/sources/pushes/put-document.ts';
import type { RemoveDocument } from '../../application/sources/pushes/remove-document.ts';
import type { AddFiles } from '../../application/sources/uploads/add-files.ts';
import type { CreateGroup } from '../../application/sources/uploads/create-group.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import type { StopSignals } from './stop-steps.ts';
import type { CorsOrigins } from './cors.ts';
import type { StreamLimits, TakeStreamSlot } from './stream-slots.ts';

/** What the HTTP adapter drives. */
export interface HttpDeps {
  readonly authenticate: Authenticate;
  readonly createDataSource: CreateDataSource;
  readonly createLocalFileGroup: CreateGroup;
  readonly addLocalFiles: AddFiles;
  readonly pushJobs: PushJobs;
  readonly putDocument: PutDocument;
  readonly removeDocument: RemoveDocument;
  readonly scrape: Scrape;
  readonly dataSources: DataSourceOperations;
  readonly auditTrail: AuditTrail;
  readonly unitErrors: ReadUnitErrors;
  readonly settings: IngestionSettingOperations;
  readonly sources: SourceOperations;
  readonly search: SearchOperations;
  readonly writtenSearch: WrittenSearch;
  readonly sourceGroups: SourceGroupOperations;
  readonly tags: TagOperations;
  readonly tagBindings: TagBindingOperations;
  readonly complete: Complete;
  readonly extract: Extract;
  readonly createRun: CreateRun;
  readonly cancelRun: CancelRun;
  readonly readRun: ReadRun;
  readonly deleteThread: DeleteThread;
  readonly agentLists: AgentLists;
  readonly runEvents: RunEvents;
  readonly conversations: ConversationOperations;
  readonly redactionPolicies: RedactionPolicyOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly secrets: SecretOperations;
  readonly authzPolicies: AuthzPolicyOperations;
  readonly authzSubjects: AuthzSubjectOperations;
  readonly events: AuditOperations;
  /** What agents outside may do. */
  readonly knowledgeTools: KnowledgeTools;
  readonly knowledgeResources: KnowledgeResources;
  readonly gate: ReadGate;
  readonly feed: Pick<EventFeed, 'holds'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  /** What is not ready to serve, each with a short reason; empty: ready. Must answer soon, and never reject. */
  readonly notReady: () => Promise<Readonly<Record<string, string>>>;
  /** Parts that the service works without: `ready`, or what is the matter. */
  readonly optionalParts: () => Readonly<Record<string, string>>;
  /**
   * Does what needs the database, or rejects soon with what `refusal` makes of the reason when that is away. Where it is
   * not given, work is waited for however long it takes.
   */
  readonly withDatabase?: WithDatabase;
  /** Whether an unforeseen error came from a database that is away for the moment, so that the answer is 503. */
  readonly isTransient?: (error: unknown) => boolean;
  readonly stop: StopSignals;
  /** Of this program, as clients of MCP are told. */
  readonly version: string;
  /** Where clients reach it, without a slash at its end; as each has asked where it is not given. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may read answers, `*` for all; none where it is not given. */
  readonly corsOrigins?: CorsOrigins;
  /** Milliseconds between comments on an idle event stream; 15 s where it is not given. */
  readonly keepAliveMs?: number;
  /** 20 streams per key and 500 in all where it is not given. */
  readonly streamLimits?: StreamLimits;
}

export type WithDatabase = <T>(work: () => Promise<T>, refusal: (reason: Error) => Error) => Promise<T>;

/** What streams need beside their source. */
export interface StreamDeps {
  /** What a stream tells is held back until the views show it. */
  readonly gate: ReadGate;
  readonly stop: StopSignals;
  readonly keepAliveMs?: number | undefined;
  readonly takeSlot: TakeStreamSlot;
  /** Whether the key of a request that is still being answered would be let in now. */
  readonly stillAllowed: (req: Request, scope: Scope) => Promise<boolean>;
}
