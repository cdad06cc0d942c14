import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { snapshotMigrations } from '../../../../adapters/postgres/snapshots/migration.ts';
import { createSnapshotStore } from '../../../../adapters/postgres/snapshots/snapshot-store.ts';
import type { Sql } from '../../../../adapters/postgres/sql.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { snapshotStoreContract } from '../../contracts/snapshot-store.ts';

const open = async () => {
  const database = await freshDatabase<never>(snapshotMigrations);
  const db = database.db as unknown as Sql;
  return { db, snapshots: createSnapshotStore(db), close: database.close };
};

snapshotStoreContract('Postgres', open);

it('a snapshot that was cut off is as one that there is not', async () => {
  const { db, snapshots, close } = await open();
  const written = { stream: 'tag-1', shape: 'tag', version: 1, revision: 9n, eventId: 'e', tenant: 'acme' };
  await snapshots.write({ ...written, state: { tags: [] } });
  await sql`update work.snapshot set state = left(state, 5)`.execute(db);
  expect(await snapshots.read('tag-1', 'tag', 1)).toBeNull();
  await close();
});
