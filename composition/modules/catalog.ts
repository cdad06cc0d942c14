import { ContainerModule } from 'inversify';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/purge-catalog.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { liveVersion, schemaOf } from '../../adapters/postgres/projections/versions.ts';
import {
  apiKeyProjection,
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../adapters/postgres/projections/views.ts';
import { createLexicalIndex } from '../../adapters/postgres/search/rank.ts';
import { parseChunkSet } from '../../application/content/chunk-set.ts';
import { createRecentChunkSets, type RecentChunkSets } from '../../application/content/recent-chunk-sets.ts';
import type { FileAreas } from '../../application/ports/file-areas.ts';
import { TOKENS as T } from '../tokens.ts';

const chunkSetReader =
  (files: FileAreas, recent: RecentChunkSets) => async (data_source_id: string, sha256: string) => {
    const known = recent.recall(sha256);
    if (known !== undefined) return known;
    const bytes = await (await files.area(data_source_id)).read(sha256);
    return bytes === null ? null : parseChunkSet(bytes.toString('utf8'));
  };

/** The read models, and above all the catalog: documents, contents and the index over them. */
export const catalogModule = new ContainerModule(({ bind }) => {
  bind(T.RecentChunkSets).toConstantValue(createRecentChunkSets(500));
  bind(T.CatalogProjection).toResolvedValue(
    (files, recent) => createCatalogProjection({ readChunkSet: chunkSetReader(files, recent) }),
    [T.FileAreas, T.RecentChunkSets],
  );
  bind(T.Projections).toResolvedValue(
    (catalog) => [dataSourceProjection, ingestionSettingProjection, apiKeyProjection, catalog],
    [T.CatalogProjection],
  );
  bind(T.Upkeep).toResolvedValue(
    (catalog, { db }) =>
      async (view, signal) => {
        if (view !== catalog.view) return;
        const live = await liveVersion(db, view);
        if (live === undefined) return;
        for (let merged = 1; merged > 0 && !signal.aborted;) {
          merged = await catalog.merge(db, schemaOf(view, live.version));
        }
      },
    [T.CatalogProjection, T.Database],
  );
  bind(T.Catalog).toResolvedValue(({ db }) => createCatalog(db, createLexicalIndex(db)), [T.Database]);
  bind(T.PurgeCatalog).toResolvedValue(({ db }) => createPurgeCatalog(db), [T.Database]);
});
