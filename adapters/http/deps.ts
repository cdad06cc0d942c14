import type { ApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import type { AuthzPolicyOperations } from '../../application/access/authz/policy-operations.ts';
import type { AuthzSubjectOperations } from '../../application/access/authz/subject-operations.ts';
import type { AuthenticationDeps } from './authentication.ts';
import type { SecretOperations } from '../../application/access/secrets/operations.ts';
import type { ConversationOperations } from '../../application/answers/conversations/operations.ts';
import type { AuditOperations } from '../../application/audit/operations.ts';
import type { ExportOperations } from '../../application/audit/export-log.ts';
import type { OpenPast } from '../../application/history/open-past.ts';
import type { ReadChanges } from '../../application/history/record-changes.ts';
import type { ProofOperations } from '../../application/audit/proof-operations.ts';
import type { EventFeed } from '../../application/ports/event-store.ts';
import type { Clock, IdSource } from '../../application/ports/identity.ts';
import type { Logger } from '../../application/ports/logger.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { RedactionPolicyOperations } from '../../application/redaction/operations.ts';
import type { SearchOperations } from '../../application/search/operations.ts';
import type { SerialisedSearch } from '../../application/search/serialised-search.ts';
import type { SourceOperations } from '../../application/sources/documents/operations.ts';
import type { Scrape } from '../../application/sources/scrape/scrape.ts';
import type { SourceGroupOperations } from '../../application/sources/source-groups/operations.ts';
import type { TagBindingOperations } from '../../application/sources/tags/binding-operations.ts';
import type { TagOperations } from '../../application/sources/tags/operations.ts';
import type { WebhookOperations } from '../../application/webhooks/operations.ts';
import type { WithDatabase } from './json-response.ts';
import type { InTurn } from './read-in-turn.ts';
import type { CorsOrigins } from './cors.ts';
import type { KindsDeps } from './data-sources/kinds.ts';
import type { McpDeps } from './mcp/mount-mcp.ts';
import type { AgentEventRouteDeps } from './agents/agent-events.ts';
import type { AgentRunRouteDeps } from './agents/agent-runs.ts';
import type { AgentThreadRouteDeps } from './agents/agent-threads.ts';
import type { CompletionRouteDeps } from './routes/completions.ts';
import type { OpenAiRouteDeps } from './routes/openai.ts';
import type { ExtractRouteDeps } from './routes/extract.ts';
import type { ReadStatus } from './routes/status.ts';
import type { StopSignals } from './stop-signals.ts';
import type { StreamDeps, StreamLimits } from './stream-response.ts';

/** Created by `buildApp` itself. */
type MadeHere =
  | keyof StreamDeps
  | 'admit'
  | 'check'
  | 'problemFor'
  | 'withDatabase'
  | 'corsOrigins'
  | 'hasConsole'
  | 'publicUrl';

/** The use cases that the routes call. */
type Operations = Omit<
  AgentEventRouteDeps &
    AgentRunRouteDeps &
    AgentThreadRouteDeps &
    CompletionRouteDeps &
    ExtractRouteDeps &
    KindsDeps &
    McpDeps &
    OpenAiRouteDeps,
  MadeHere
>;

/** Everything that the HTTP adapter depends on. */
export interface HttpDeps extends Operations, AuthenticationDeps {
  readonly scrape: Scrape;
  readonly sources: SourceOperations;
  readonly search: SearchOperations;
  readonly serialisedSearch: SerialisedSearch;
  readonly sourceGroups: SourceGroupOperations;
  readonly tags: TagOperations;
  readonly tagBindings: TagBindingOperations;
  readonly conversations: ConversationOperations;
  readonly redactionPolicies: RedactionPolicyOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly secrets: SecretOperations;
  readonly webhooks: WebhookOperations;
  readonly authzPolicies: AuthzPolicyOperations;
  readonly authzSubjects: AuthzSubjectOperations;
  readonly events: AuditOperations;
  readonly exports: ExportOperations;
  readonly openPast: OpenPast;
  readonly readChanges: ReadChanges;
  readonly proofs: ProofOperations;
  readonly readStatus: ReadStatus;
  readonly gate: ReadGate;
  readonly feed: Pick<EventFeed, 'holds'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  /**
   * `reasons`: the parts that are not ready, each with a short reason; empty when ready. `details`: what an operator
   * should look at although it is ready. Must respond soon and never reject.
   */
  readonly readiness: () => Promise<
    Readonly<Record<'reasons' | 'details', Readonly<Record<string, string>>>>
  >;
  /** Optional parts: `ready`, or the problem. */
  readonly optionalParts: () => Readonly<Record<string, string>>;
  /**
   * Runs work that needs the database; rejects soon with the result of `refusal` when the database is unavailable.
   * Default: waits for the work without a limit.
   */
  readonly withDatabase?: WithDatabase;
  /** Limits how many requests of routes `inTurn` are prepared at once. Default: no limit. */
  readonly inTurn?: InTurn;
  /** Whether an unexpected error comes from a temporarily unavailable database, which becomes a 503. */
  readonly isTransient?: (error: unknown) => boolean;
  readonly stop: StopSignals;
  /** Version of this program, for MCP clients. */
  readonly version: string;
  /** The public base URL, without a trailing slash. Default: the URL of each request. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may read responses, `*` for all. Default: none. */
  readonly corsOrigins?: CorsOrigins;
  /** Of the built console. Default: it is not served. */
  readonly consoleFolder?: string | undefined;
  /** Milliseconds between comments on an idle event stream. Default: 15 s. */
  readonly keepAliveMs?: number;
  /** Default: 20 streams per key and 500 in total. */
  readonly streamLimits?: StreamLimits;
}
