import { projectionMigrations } from '../../../../adapters/postgres/projections/migration.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migration.ts';
import { createUnitLedger } from '../../../../adapters/postgres/work/unit-ledger.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { unitLedgerContract } from '../../contracts/unit-ledger.ts';

unitLedgerContract('Postgres', async () => {
  const database = await freshDatabase<never>([...projectionMigrations, ...workMigrations]);
  return { ledger: createUnitLedger(database), close: database.close };
});
