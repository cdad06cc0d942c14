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
import type { PatternCompiler } from '../../application/ports/pattern-compiler.ts';
import { createScheduling } from '../../application/schedule/create-scheduling.ts';
import { createSearchOperations } from '../../application/search/operations.ts';
import { createSourceGroupOperations } from '../../application/source-group/operations.ts';
import { createSourceOperations } from '../../application/source/operations.ts';
import { createTagBindingOperations } from '../../application/tag/binding-operations.ts';
import { createTagOperations } from '../../application/tag/operations.ts';
import type { CrawlParameters } from '../../domain/ingestion-setting/index.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const checkingWith =
  (patterns: PatternCompiler) =>
  (parameters: CrawlParameters): void =>
    checkCrawlParameters(patterns, parameters);

/** What operations on aggregates have in common. */
const COMMANDS = { execute: T.Execute, ids: T.IdSource, hash: T.Hash, clock: T.Clock } as const;

/** The operations that the driving adapters call. */
export const applicationModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  provide(T.Scheduling, ({ recurrence }) => createScheduling(recurrence), { recurrence: T.Recurrence });
  provide(T.Authenticate, createAuthenticate, { view: T.ApiKeyView, hash: T.Hash, clock: T.Clock });
  provide(
    T.CreateCrawl,
    ({ patterns, ...deps }) => createCrawlOperation({ ...deps, checkParameters: checkingWith(patterns) }),
    { ...COMMANDS, scheduling: T.Scheduling, marks: T.RowMarks, patterns: T.PatternCompiler },
  );
  provide(
    T.DataSourceOperations,
    ({ frontier, patterns, ...deps }) =>
      createDataSourceOperations({
        ...deps,
        units: { crawl: createPagesToSync({ execute: deps.execute, frontier, patterns }) },
      }),
    {
      execute: T.Execute,
      view: T.DataSourceView,
      withheld: T.Withheld,
      ids: T.IdSource,
      clock: T.Clock,
      frontier: T.CrawlFrontier,
      patterns: T.PatternCompiler,
    },
  );
  provide(T.AuditTrail, createAuditTrail, { store: T.EventStore, feed: T.EventFeed, codec: T.EventCodec });
  provide(T.CrawlErrors, ({ view, frontier }) => createCrawlErrors(view, frontier), {
    view: T.DataSourceView,
    frontier: T.CrawlFrontier,
  });
  provide(
    T.IngestionSettingOperations,
    ({ patterns, ...deps }) =>
      createIngestionSettingOperations({ ...deps, checkParameters: checkingWith(patterns) }),
    {
      execute: T.Execute,
      view: T.DataSourceView,
      scheduling: T.Scheduling,
      clock: T.Clock,
      patterns: T.PatternCompiler,
    },
  );
  provide(
    T.ApiKeyOperations,
    ({ authenticate, ...deps }) => createApiKeyOperations({ ...deps, forget: authenticate.forget }),
    {
      ...COMMANDS,
      view: T.ApiKeyView,
      secrets: T.Secrets,
      store: T.EventStore,
      marks: T.ApiKeyMarks,
      authenticate: T.Authenticate,
    },
  );
  const tags = { ...COMMANDS, view: T.TagView, store: T.EventStore, codec: T.EventCodec } as const;
  provide(T.TagOperations, createTagOperations, tags);
  provide(T.TagBindingOperations, createTagBindingOperations, tags);
  provide(T.SourceGroupOperations, createSourceGroupOperations, {
    view: T.SourceGroupView,
    execute: T.Execute,
    store: T.EventStore,
    codec: T.EventCodec,
    settings: T.IngestionSettingOperations,
    accessTo: T.AccessTo,
  });
  provide(T.SourceOperations, createSourceOperations, {
    execute: T.Execute,
    catalog: T.Catalog,
    files: T.FileAreas,
    frontier: T.CrawlFrontier,
    withheld: T.Withheld,
    clock: T.Clock,
    accessTo: T.AccessTo,
  });
  provide(T.SearchOperations, createSearchOperations, {
    catalog: T.Catalog,
    ids: T.IdSource,
    accessTo: T.AccessTo,
    terms: T.WordTerms,
    questionVector: T.QuestionVector,
    rerankResults: T.RerankResults,
  });
  provide(T.AuditOperations, createAuditOperations, { feed: T.EventFeed, hidingFor: T.HidingFor });
});
