import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../adapters/postgres/work/migrations.ts';
import { type EventLog, createStoreWatches } from '../../composition/event-log.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { silent } from '../support/world.ts';

let views: FreshDatabase;
beforeAll(async () => {
  views = await freshDatabase([...projectionMigrations, ...workMigrations], { poolSize: 2 });
});
afterAll(() => views.close());

it('Postgres is not away because all connections are in use', async () => {
  const watch = createDatabase({ ...views.address, poolSize: 1 });
  const watches = createStoreWatches(
    { events: views, views, watch },
    { onConnected: () => {} } as unknown as EventLog,
    silent,
  );
  const held = await Promise.all([views.pool.connect(), views.pool.connect()]);
  const found = await watches.database.check();
  for (const client of held) client.release();
  await watch.close();
  expect(found).toBeNull();
});
