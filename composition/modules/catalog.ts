import { ContainerModule } from 'inversify';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/purge-catalog.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import {
  apiKeyProjection,
  authzPolicyProjection,
  authzSubjectProjection,
  conversationProjection,
  dataSourceProjection,
  ingestionSettingProjection,
  redactionPolicyProjection,
} from '../../adapters/postgres/projections/views.ts';
import { tagProjection } from '../../adapters/postgres/projections/tag/tag-projection.ts';
import { createLexicalIndex } from '../../adapters/postgres/search/lexical-index.ts';
import { createWordTerms } from '../../adapters/postgres/search/word-terms.ts';
import { tracedProjection } from '../../adapters/telemetry/traced-projection.ts';
import { parseChunkSet } from '../../application/content/chunk-set.ts';
import { createRecentChunkSets, type RecentChunkSets } from '../../application/content/recent-chunk-sets.ts';
import { createRedactedCatalog } from '../../application/redaction/redacted-catalog.ts';
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
    (catalog) =>
      [
        dataSourceProjection,
        ingestionSettingProjection,
        apiKeyProjection,
        conversationProjection,
        tagProjection,
        authzPolicyProjection,
        authzSubjectProjection,
        redactionPolicyProjection,
        catalog,
      ].map(tracedProjection),
    [T.CatalogProjection],
  );
  bind(T.Catalog).toResolvedValue(
    ({ db }, vectors, redaction) =>
      createRedactedCatalog(createCatalog(db, createLexicalIndex(db), vectors), redaction),
    [T.Database, T.VectorIndex, T.PoliciesInForce],
  );
  bind(T.WordTerms)
    .toResolvedValue(({ db }) => createWordTerms(db), [T.Database])
    .inSingletonScope();
  bind(T.PurgeCatalog).toResolvedValue(({ db }) => createPurgeCatalog(db), [T.Database]);
});
