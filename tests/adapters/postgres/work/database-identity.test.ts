import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { bindToEventStore, bindToFiles } from '../../../../adapters/postgres/work/database-identity.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
});
afterAll(() => database.close());

it('ties a database to the place of its files, one process at a time', async () => {
  const asked: (string | null)[] = [];
  let inside = 0;
  const claim = async (known: string | null, fresh: string): Promise<string> => {
    expect(inside).toBe(0);
    inside += 1;
    asked.push(known);
    await new Promise(setImmediate);
    inside -= 1;
    return known ?? fresh;
  };
  await Promise.all(['a', 'b', 'c'].map((fresh) => bindToFiles(database.pool, { claim }, fresh)));
  expect(asked[0]).toBeNull();
  expect(new Set(asked.slice(1)).size).toBe(1);
  const refusing = async () => Promise.reject(new Error('not the place'));
  await expect(bindToFiles(database.pool, { claim: refusing }, 'd')).rejects.toThrow('not the place');
  await bindToFiles(database.pool, { claim }, 'e');
  expect(asked[3]).toBe(asked[1]);
});

it('keeps no mark of a place that has none', async () => {
  await database.pool.query('TRUNCATE work.files_mark');
  await bindToFiles(database.pool, { claim: async () => null }, 'fresh');
  expect((await database.pool.query('SELECT FROM work.files_mark')).rowCount).toBe(0);
});

it('ties a database to the kind of event store that it was first used with', async () => {
  await bindToEventStore(database.pool, 'eventstoredb');
  await bindToEventStore(database.pool, 'eventstoredb');
  await expect(bindToEventStore(database.pool, 'postgres')).rejects.toThrow(
    'the events of this database are in EventStoreDB: set EVENTSTORE_URL to it',
  );
});

it('ties a database to the prefix of streams that it was first used with', async () => {
  await database.pool.query('TRUNCATE work.event_store');
  await bindToEventStore(database.pool, 'eventstoredb', 'kb_');
  await bindToEventStore(database.pool, 'eventstoredb', 'kb_');
  await expect(bindToEventStore(database.pool, 'eventstoredb')).rejects.toThrow(
    "the streams of this database's events begin with kb_, as was chosen at its first start: set EVENTSTORE_STREAM_PREFIX=kb_",
  );
  await database.pool.query('TRUNCATE work.event_store');
  await bindToEventStore(database.pool, 'eventstoredb');
  await expect(bindToEventStore(database.pool, 'eventstoredb', 'kb_')).rejects.toThrow(
    'unset EVENTSTORE_STREAM_PREFIX',
  );
});
