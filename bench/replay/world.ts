import { createKeptCheckpoints } from '../../adapters/postgres/log-tree/checkpoints.ts';
import { createLogTree } from '../../adapters/postgres/log-tree/log-tree.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { createProjections } from '../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/versions.ts';
import { vaultMigrations } from '../../adapters/postgres/vault/vault.ts';
import { vectorMigrations } from '../../adapters/postgres/vectors/migrations.ts';
import { snapshotMigrations, workMigrations } from '../../adapters/postgres/work/migrations.ts';
import { systemClock } from '../../adapters/system/identity.ts';
import { ed25519Signer, sha256Bytes, verifyEd25519 } from '../../adapters/system/proof.ts';
import type { EventLog } from '../events/event-log.ts';
import type { GeneratedLog } from './generated-log.ts';

/** A log with the database of its views. */
export const openViews = async (log: EventLog, cleanup: AsyncDisposableStack) => {
  const views = createDatabase({ ...log.address, poolSize: 32, synchronousCommit: false });
  cleanup.defer(views.close);
  await migrate(views.pool, [
    ...projectionMigrations,
    ...vaultMigrations,
    ...workMigrations,
    ...snapshotMigrations,
    ...vectorMigrations,
  ]);
  return { ...log, views };
};
export type World = Awaited<ReturnType<typeof openViews>>;

/** All views of a program without another search engine. */
export const viewsOf = ({ chunkSet }: GeneratedLog): readonly Projection[] => {
  const catalog = createCatalogProjection({ readChunkSet: async (_, sha256) => chunkSet(sha256) });
  const nothing = (): void => {};
  return createProjections(catalog, {
    overlay: { prune: async () => {} },
    log: console,
    clearKeyCache: nothing,
    clearPolicyCache: nothing,
    wakeWorkers: nothing,
    wakeRunWorkers: nothing,
    wakeEmbedding: nothing,
    wakeMerging: nothing,
    wakeWebhooks: nothing,
  });
};

/** What proofs of the log need. */
export const proving = ({ views: { db } }: World) => {
  const [tree, kept] = [createLogTree(db), createKeptCheckpoints(db)];
  return {
    tree,
    kept,
    sha256: sha256Bytes,
    verify: verifyEd25519,
    signer: async () => ed25519Signer(Buffer.alloc(32, 7)),
    originOf: async (tenant: string) => `bench/${tenant}`,
    clock: systemClock,
  };
};
