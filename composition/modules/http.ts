import { ContainerModule } from 'inversify';
import { isTransient } from '../../adapters/postgres/transient.ts';
import { buildApp, buildHealthApp } from '../../adapters/http/app.ts';
import type { StopSignals } from '../../adapters/http/stop-steps.ts';
import type { Config } from '../config.ts';
import { createReadiness } from '../readiness.ts';
import { createStartState } from '../start-state.ts';
import { TOKENS as T } from '../tokens.ts';
import { programVersion } from '../version.ts';
import { providing } from '../wiring.ts';

/** The HTTP adapter over the operations. */
export const httpModule = (
  {
    agents,
    corsOrigins,
    embeddings,
    eventStoreUrl,
    publicUrl,
    rerank,
  }: Pick<Config, 'agents' | 'corsOrigins' | 'embeddings' | 'eventStoreUrl' | 'publicUrl' | 'rerank'>,
  stop: StopSignals,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    bind(T.StartState).toConstantValue(createStartState());
    provide(
      T.NotReady,
      createReadiness,
      {
        views: T.Database,
        files: T.FileAreas,
        watches: T.StoreWatches,
        start: T.StartState,
        log: T.Logger,
      },
      { eventsApart: eventStoreUrl !== undefined },
    );
    provide(
      T.OptionalParts,
      ({ browser }) =>
        () => ({
          browser: browser.missing() === null ? 'ready' : 'not configured',
          agent_runtime: agents.runtime === null ? 'not configured' : 'ready',
          embeddings: embeddings === undefined ? 'not configured' : 'ready',
          reranker: rerank === undefined ? 'not configured' : 'ready',
        }),
      { browser: T.Browser },
    );
    const health = {
      ids: T.IdSource,
      log: T.Logger,
      notReady: T.NotReady,
      optionalParts: T.OptionalParts,
    } as const;
    provide(T.HealthHttp, buildHealthApp, health, { stop });
    provide(
      T.Http,
      ({ watches, ...deps }) => buildApp({ ...deps, withDatabase: watches.database.during }),
      {
        ...health,
        authenticate: T.Authenticate,
        createDataSource: T.CreateDataSource,
        createLocalFileGroup: T.CreateLocalFileGroup,
        addLocalFiles: T.AddLocalFiles,
        scrape: T.Scrape,
        pushJobs: T.PushJobs,
        putDocument: T.PutDocument,
        removeDocument: T.RemoveDocument,
        dataSources: T.DataSourceOperations,
        auditTrail: T.AuditTrail,
        unitErrors: T.UnitErrors,
        settings: T.IngestionSettingOperations,
        sources: T.SourceOperations,
        search: T.SearchOperations,
        writtenSearch: T.WrittenSearch,
        sourceGroups: T.SourceGroupOperations,
        tags: T.TagOperations,
        tagBindings: T.TagBindingOperations,
        conversations: T.ConversationOperations,
        complete: T.Complete,
        extract: T.Extract,
        createRun: T.CreateRun,
        cancelRun: T.CancelRun,
        readRun: T.ReadRun,
        deleteThread: T.DeleteThread,
        agentLists: T.AgentLists,
        runEvents: T.RunEvents,
        redactionPolicies: T.RedactionPolicyOperations,
        apiKeys: T.ApiKeyOperations,
        secrets: T.SecretOperations,
        authzPolicies: T.AuthzPolicyOperations,
        authzSubjects: T.AuthzSubjectOperations,
        events: T.AuditOperations,
        knowledgeTools: T.KnowledgeTools,
        knowledgeResources: T.KnowledgeResources,
        gate: T.ReadGate,
        feed: T.EventFeed,
        clock: T.Clock,
        watches: T.StoreWatches,
      },
      { isTransient, corsOrigins, publicUrl, stop, version: programVersion() },
    );
  });
