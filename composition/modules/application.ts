import { ContainerModule } from 'inversify';
import { createAuthenticate } from '../../application/api-key/authenticate.ts';
import { createApiKeyOperations } from '../../application/api-key/operations.ts';
import { createAuditOperations } from '../../application/audit/operations.ts';
import { createPagesToSync } from '../../application/crawl/pages-to-sync.ts';
import { checkCrawlParameters } from '../../application/crawl/check-parameters.ts';
import { createAuditTrail } from '../../application/data-source/audit-trail.ts';
import { createCrawlErrors } from '../../application/data-source/crawl-errors.ts';
import { createCrawlOperation } from '../../application/data-source/create-crawl.ts';
import { createDataSourceOperations } from '../../application/data-source/operations.ts';
import { createIngestionSettingOperations } from '../../application/ingestion-setting/operations.ts';
import { createScheduling } from '../../application/schedule/create-scheduling.ts';
import { createSearchOperations } from '../../application/search/operations.ts';
import { createSourceGroupOperations } from '../../application/source-group/operations.ts';
import { createSourceOperations } from '../../application/source/operations.ts';
import { createTagBindingOperations } from '../../application/tag/binding-operations.ts';
import { createTagOperations } from '../../application/tag/operations.ts';
import { TOKENS as T } from '../tokens.ts';

/** The operations that the driving adapters call. */
export const applicationModule = new ContainerModule(({ bind }) => {
  bind(T.Scheduling).toResolvedValue((recurrence) => createScheduling(recurrence), [T.Recurrence]);
  bind(T.Authenticate)
    .toResolvedValue(
      (view, hash, clock) => createAuthenticate({ view, hash, clock }),
      [T.ApiKeyView, T.Hash, T.Clock],
    )
    .inSingletonScope();
  bind(T.CreateCrawl).toResolvedValue(
    (execute, ids, hash, clock, scheduling, marks, patterns) =>
      createCrawlOperation({
        execute,
        ids,
        hash,
        clock,
        scheduling,
        marks,
        checkParameters: (parameters) => checkCrawlParameters(patterns, parameters),
      }),
    [T.Execute, T.IdSource, T.Hash, T.Clock, T.Scheduling, T.RowMarks, T.PatternCompiler],
  );
  bind(T.DataSourceOperations).toResolvedValue(
    (execute, view, withheld, ids, clock, frontier, patterns) =>
      createDataSourceOperations({
        execute,
        view,
        withheld,
        ids,
        clock,
        units: { crawl: createPagesToSync({ execute, frontier, patterns }) },
      }),
    [T.Execute, T.DataSourceView, T.Withheld, T.IdSource, T.Clock, T.CrawlFrontier, T.PatternCompiler],
  );
  bind(T.AuditTrail).toResolvedValue(
    (store, feed, codec) => createAuditTrail({ store, feed, codec }),
    [T.EventStore, T.EventFeed, T.EventCodec],
  );
  bind(T.CrawlErrors).toResolvedValue(
    (view, frontier) => createCrawlErrors(view, frontier),
    [T.DataSourceView, T.CrawlFrontier],
  );
  bind(T.IngestionSettingOperations).toResolvedValue(
    (execute, view, scheduling, clock, patterns) =>
      createIngestionSettingOperations({
        execute,
        view,
        scheduling,
        clock,
        checkParameters: (parameters) => checkCrawlParameters(patterns, parameters),
      }),
    [T.Execute, T.DataSourceView, T.Scheduling, T.Clock, T.PatternCompiler],
  );
  bind(T.ApiKeyOperations).toResolvedValue(
    (execute, ids, hash, clock, view, secrets, store, marks, { forget }) =>
      createApiKeyOperations({ execute, ids, hash, clock, view, secrets, store, marks, forget }),
    [
      T.Execute,
      T.IdSource,
      T.Hash,
      T.Clock,
      T.ApiKeyView,
      T.Secrets,
      T.EventStore,
      T.ApiKeyMarks,
      T.Authenticate,
    ],
  );
  bind(T.TagOperations).toResolvedValue(
    (execute, ids, hash, clock, view, store, codec) =>
      createTagOperations({ execute, ids, hash, clock, view, store, codec }),
    [T.Execute, T.IdSource, T.Hash, T.Clock, T.TagView, T.EventStore, T.EventCodec],
  );
  bind(T.TagBindingOperations).toResolvedValue(
    (execute, ids, hash, clock, view, store, codec) =>
      createTagBindingOperations({ execute, ids, hash, clock, view, store, codec }),
    [T.Execute, T.IdSource, T.Hash, T.Clock, T.TagView, T.EventStore, T.EventCodec],
  );
  bind(T.SourceGroupOperations).toResolvedValue(
    (view, execute, store, codec, settings, accessTo) =>
      createSourceGroupOperations({ view, execute, store, codec, settings, accessTo }),
    [T.SourceGroupView, T.Execute, T.EventStore, T.EventCodec, T.IngestionSettingOperations, T.AccessTo],
  );
  bind(T.SourceOperations).toResolvedValue(
    (execute, catalog, files, frontier, withheld, clock, accessTo) =>
      createSourceOperations({
        execute,
        catalog,
        files,
        frontier,
        withheld,
        clock,
        accessTo,
      }),
    [T.Execute, T.Catalog, T.FileAreas, T.CrawlFrontier, T.Withheld, T.Clock, T.AccessTo],
  );
  bind(T.SearchOperations).toResolvedValue(
    (catalog, ids, accessTo, terms, questionVector, rerankResults) =>
      createSearchOperations({ catalog, ids, accessTo, terms, questionVector, rerankResults }),
    [T.Catalog, T.IdSource, T.AccessTo, T.WordTerms, T.QuestionVector, T.RerankResults],
  );
  bind(T.AuditOperations).toResolvedValue(
    (feed, hidingFor) => createAuditOperations({ feed, hidingFor }),
    [T.EventFeed, T.HidingFor],
  );
});
