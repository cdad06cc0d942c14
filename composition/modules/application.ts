import { ContainerModule } from 'inversify';
import { createAuthenticate } from '../../application/access/api-keys/authenticate.ts';
import { createApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import { createAuditOperations } from '../../application/audit/operations.ts';
import { createAuditTrail } from '../../application/sources/data-sources/audit-trail.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import { createDataSourceOperations } from '../../application/sources/ingestion/operations.ts';
import { createIngestionSettingOperations } from '../../application/sources/ingestion/setting-operations.ts';
import { createUnitErrors } from '../../application/sources/ingestion/unit-errors.ts';
import { createScheduling } from '../../application/sources/schedules/create-scheduling.ts';
import { createSearchOperations } from '../../application/search/operations.ts';
import { createWrittenSearch } from '../../application/search/written-search.ts';
import { createSourceGroupOperations } from '../../application/sources/source-groups/operations.ts';
import { createSourceOperations } from '../../application/sources/documents/operations.ts';
import { createTagBindingOperations } from '../../application/sources/tags/binding-operations.ts';
import { createTagOperations } from '../../application/sources/tags/operations.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** What operations on aggregates have in common. */
const COMMANDS = { execute: T.Execute, ids: T.IdSource, hash: T.Hash, clock: T.Clock } as const;

/** The operations that the driving adapters call. */
export const applicationModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  provide(T.Scheduling, ({ recurrence }) => createScheduling(recurrence), { recurrence: T.Recurrence });
  provide(T.Authenticate, createAuthenticate, { view: T.ApiKeyView, hash: T.Hash, clock: T.Clock });
  provide(T.CreateDataSource, createCreateDataSource, {
    ...COMMANDS,
    scheduling: T.Scheduling,
    marks: T.RowMarks,
    connectors: T.Connectors,
    uses: T.SecretUses,
  });
  provide(T.DataSourceOperations, createDataSourceOperations, {
    execute: T.Execute,
    view: T.DataSourceView,
    withheld: T.Withheld,
    ids: T.IdSource,
    clock: T.Clock,
    uses: T.SecretUses,
    connectors: T.Connectors,
  });
  provide(T.AuditTrail, createAuditTrail, { store: T.EventStore, feed: T.EventFeed, codec: T.EventCodec });
  provide(T.UnitErrors, createUnitErrors, { view: T.DataSourceView, connectors: T.Connectors });
  provide(T.IngestionSettingOperations, createIngestionSettingOperations, {
    execute: T.Execute,
    view: T.DataSourceView,
    scheduling: T.Scheduling,
    clock: T.Clock,
    uses: T.SecretUses,
    connectors: T.Connectors,
  });
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
  const tags = { ...COMMANDS, view: T.TagView } as const;
  provide(T.TagOperations, createTagOperations, tags);
  provide(T.TagBindingOperations, createTagBindingOperations, tags);
  provide(T.SourceGroupOperations, createSourceGroupOperations, {
    view: T.SourceGroupView,
    execute: T.Execute,
    settings: T.IngestionSettingOperations,
    accessTo: T.AccessTo,
  });
  provide(T.SourceOperations, createSourceOperations, {
    execute: T.Execute,
    catalog: T.Catalog,
    files: T.FileAreas,
    connectors: T.Connectors,
    withheld: T.Withheld,
    clock: T.Clock,
    accessTo: T.AccessTo,
  });
  const planning = { catalog: T.Catalog, accessTo: T.AccessTo, questionVector: T.QuestionVector } as const;
  provide(T.SearchOperations, createSearchOperations, {
    ...planning,
    retrieve: T.Retrieve,
    ids: T.IdSource,
    rerankResults: T.RerankResults,
  });
  provide(
    T.WrittenSearch,
    ({ operations, reranker, ...deps }) =>
      createWrittenSearch({ ...deps, search: operations.search, hasReranker: reranker !== null }),
    {
      ...planning,
      operations: T.SearchOperations,
      retrieveWritten: T.RetrieveWritten,
      write: T.WriteResults,
      ids: T.IdSource,
      reranker: T.RerankResults,
    },
  );
  provide(T.AuditOperations, createAuditOperations, { feed: T.EventFeed, hidingFor: T.HidingFor });
});
