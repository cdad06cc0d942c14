import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { tieToEventStore } from '../../../../adapters/postgres/work/database-identity.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
});
afterAll(() => database.close());

it('ties a database to the kind of event store that it was first used with', async () => {
  await tieToEventStore(database.pool, 'eventstoredb');
  await tieToEventStore(database.pool, 'eventstoredb');
  await expect(tieToEventStore(database.pool, 'postgres')).rejects.toThrow(
    'the events of this database are in EventStoreDB: set EVENTSTORE_URL to it',
  );
});
