import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { itemStoreContract } from '../../contracts/item-store.ts';

itemStoreContract('Postgres', async () => {
  const database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  await database.pool.query(
    'CREATE TABLE read.source (id uuid PRIMARY KEY, data_source_id uuid, status text)',
  );
  return {
    itemStore: createItemStore(database),
    catalog: async (dataSourceId, there, removed) => {
      await database.pool.query(
        `INSERT INTO read.source SELECT id, $1, CASE WHEN id = any($3) THEN 'removed' ELSE 'indexed' END
          FROM unnest($2::uuid[] || $3::uuid[]) AS id`,
        [dataSourceId, there, removed],
      );
    },
    close: database.close,
  };
});
