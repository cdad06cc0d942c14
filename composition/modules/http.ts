import { ContainerModule } from 'inversify';
import { isPassing } from '../../adapters/postgres/passing.ts';
import { buildApp, buildHealthApp } from '../../adapters/http/app.ts';
import type { StopSignals } from '../../adapters/http/stop-steps.ts';
import type { Config } from '../config.ts';
import { createReadiness } from '../readiness.ts';
import { createStartState } from '../start-state.ts';
import { TOKENS as T } from '../tokens.ts';

/** The HTTP adapter over the operations. */
export const httpModule = (
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
  stop: StopSignals,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(T.StartState).toConstantValue(createStartState());
    bind(T.NotReady).toResolvedValue(createReadiness, [
      T.Database,
      T.FileAreas,
      T.StoreWatches,
      T.StartState,
      T.Logger,
      T.Config,
    ]);
    bind(T.HealthHttp)
      .toResolvedValue(
        (ids, log, notReady) => buildHealthApp({ ids, log, notReady, stop }),
        [T.IdSource, T.Logger, T.NotReady],
      )
      .inSingletonScope();
    bind(T.Http)
      .toResolvedValue(
        (
          authenticate,
          createCrawl,
          dataSources,
          auditTrail,
          crawlErrors,
          settings,
          sources,
          search,
          sourceGroups,
          tags,
          tagBindings,
          conversations,
          complete,
          extract,
          redactionPolicies,
          apiKeys,
          authzPolicies,
          authzSubjects,
          events,
          gate,
          feed,
          clock,
          ids,
          log,
          notReady,
          { database },
        ) =>
          buildApp({
            authenticate,
            createCrawl,
            dataSources,
            auditTrail,
            crawlErrors,
            settings,
            sources,
            search,
            sourceGroups,
            tags,
            tagBindings,
            conversations,
            complete,
            extract,
            redactionPolicies,
            apiKeys,
            authzPolicies,
            authzSubjects,
            events,
            gate,
            feed,
            clock,
            ids,
            log,
            notReady,
            isPassing,
            withDatabase: database.during,
            corsOrigins,
            stop,
          }),
        [
          T.Authenticate,
          T.CreateCrawl,
          T.DataSourceOperations,
          T.AuditTrail,
          T.CrawlErrors,
          T.IngestionSettingOperations,
          T.SourceOperations,
          T.SearchOperations,
          T.SourceGroupOperations,
          T.TagOperations,
          T.TagBindingOperations,
          T.ConversationOperations,
          T.Complete,
          T.Extract,
          T.RedactionPolicyOperations,
          T.ApiKeyOperations,
          T.AuthzPolicyOperations,
          T.AuthzSubjectOperations,
          T.AuditOperations,
          T.ReadGate,
          T.EventFeed,
          T.Clock,
          T.IdSource,
          T.Logger,
          T.NotReady,
          T.StoreWatches,
        ],
      )
      .inSingletonScope();
  });
