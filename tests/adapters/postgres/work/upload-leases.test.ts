import { createUploadLeases } from '../../../../adapters/postgres/work/leases.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { uploadLeasesContract } from '../../contracts/upload-leases.ts';

uploadLeasesContract('Postgres', async () => {
  const database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  return { uploads: createUploadLeases(database.db), close: database.close };
});
