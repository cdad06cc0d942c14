import { ContainerModule } from 'inversify';
import { viewHealth } from '../../adapters/postgres/projections/health.ts';
import { buildApp } from '../../adapters/http/app.ts';
import { TOKENS as T } from '../tokens.ts';

/** The HTTP adapter over the operations. */
export const httpModule = (draining: AbortSignal): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(T.NotReady).toResolvedValue(
      (database, log) => async () => {
        try {
          const halted = (await viewHealth(database.db)).filter((view) => view.halted_because !== null);
          return Object.fromEntries(
            halted.map(({ view, halted_because }) => [`projection ${view}`, `halted: ${halted_because}`]),
          );
        } catch (error) {
          log.warn('the read models cannot be asked', { error: (error as Error).message });
          return { database: 'it does not answer' };
        }
      },
      [T.Database, T.Logger],
    );
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
          apiKeys,
          events,
          gate,
          clock,
          ids,
          log,
          notReady,
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
            apiKeys,
            events,
            gate,
            clock,
            ids,
            log,
            notReady,
            draining,
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
          T.ApiKeyOperations,
          T.AuditOperations,
          T.ReadGate,
          T.Clock,
          T.IdSource,
          T.Logger,
          T.NotReady,
        ],
      )
      .inSingletonScope();
  });
