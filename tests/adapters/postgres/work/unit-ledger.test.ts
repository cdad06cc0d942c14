import { projectionMigrations } from '../../../../adapters/postgres/projections/migration.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migration.ts';
import { createUnitLedger } from '../../../../adapters/postgres/work/unit-ledger.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { unitLedgerContract } from '../../contracts/unit-ledger.ts';

unitLedgerContract('Postgres', async () => {
  const database = await freshDatabase<never>([...projectionMigrations, ...workMigrations]);
  await database.pool.query(
    'CREATE TABLE read.source (id uuid PRIMARY KEY, data_source_id uuid, status text)',
  );
  return {
    ledger: createUnitLedger(database),
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
