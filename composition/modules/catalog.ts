import { ContainerModule } from 'inversify';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/purge-catalog.ts';
import { createProjections } from '../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { createWakeUp } from '../../adapters/system/wake-up.ts';
import { tracedProjection } from '../../adapters/telemetry/traced-projection.ts';
import { parseChunkSet } from '../../domain/chunking/chunk-set.ts';
import {
  createRecentChunkSets,
  type RecentChunkSets,
} from '../../application/sources/content/recent-chunk-sets.ts';
import { createRedactedCatalog } from '../../application/redaction/redacted-catalog.ts';
import type { FileAreas } from '../../application/ports/file-store.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const chunkSetReader =
  (files: FileAreas, recent: RecentChunkSets) => async (dataSourceId: string, sha256: string) => {
    const known = recent.recall(sha256);
    if (known !== undefined) return known;
    const bytes = await (await files.area(dataSourceId)).read(sha256);
    return bytes === null ? null : parseChunkSet(bytes.toString('utf8'));
  };

/** The read models, and above all the catalog: documents, contents and the index over them. */
export const catalogModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  bind(T.RecentChunkSets).toConstantValue(createRecentChunkSets(500));
  provide(
    T.CatalogProjection,
    ({ files, recent }) => createCatalogProjection({ readChunkSet: chunkSetReader(files, recent) }),
    { files: T.FileAreas, recent: T.RecentChunkSets },
  );
  bind(T.CatalogWakeUp).toConstantValue(createWakeUp());
  bind(T.SegmentWakeUp).toConstantValue(createWakeUp());
  provide(
    T.Projections,
    ({ catalog, authenticate, policies, wakeUp, runWakeUp, catalogWakeUp, segmentWakeUp, ...kept }) =>
      createProjections(catalog, {
        ...kept,
        forgetKeys: authenticate.forget,
        forgetPolicies: policies.forget,
        wakeWorkers: wakeUp.wake,
        wakeRunWorkers: runWakeUp.wake,
        wakeEmbedding: catalogWakeUp.wake,
        wakeMerging: segmentWakeUp.wake,
      }).map(tracedProjection),
    {
      catalog: T.CatalogProjection,
      authenticate: T.Authenticate,
      policies: T.PoliciesInForce,
      wakeUp: T.WorkWakeUp,
      runWakeUp: T.RunWakeUp,
      catalogWakeUp: T.CatalogWakeUp,
      segmentWakeUp: T.SegmentWakeUp,
      marks: T.RowMarks,
      log: T.Logger,
    },
  );
  provide(T.Catalog, ({ db, policies }) => createRedactedCatalog(createCatalog(db), policies), {
    db: T.Db,
    policies: T.PoliciesInForce,
  });
  provide(T.PurgeCatalog, ({ db }) => createPurgeCatalog(db), { db: T.Db });
});
