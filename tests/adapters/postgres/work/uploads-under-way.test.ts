import { createUploadsUnderWay } from '../../../../adapters/postgres/work/uploads-under-way.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migration.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/migration.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { uploadsUnderWayContract } from '../../contracts/uploads-under-way.ts';

uploadsUnderWayContract('Postgres', async () => {
  const database = await freshDatabase<never>([...projectionMigrations, ...workMigrations]);
  return { uploads: createUploadsUnderWay(database.db), close: database.close };
});
