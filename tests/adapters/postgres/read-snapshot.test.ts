import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSnapshot } from '../../../adapters/postgres/read-snapshot.ts';
import type { SqlDatabase } from '../../../adapters/postgres/database.ts';
import type { Sql } from '../../../adapters/postgres/sql.ts';
import { freshDatabase } from '../../support/postgres.ts';

let database: SqlDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await sql`create table public.thing (n int)`.execute(database.db);
});
afterAll(() => database.close());

const add = (db: Sql) => sql`insert into public.thing values (1)`.execute(db);
const count = async (db: Sql): Promise<number> =>
  Number((await sql<{ n: number }>`select count(*) as n from public.thing`.execute(db)).rows[0]?.n);

describe('a snapshot', () => {
  it('shows one state, whatever is written between its statements', async () => {
    const before = await count(database.db);
    const counts = await readSnapshot(database.db, async (trx) => {
      const first = await count(trx);
      await add(database.db);
      return [first, await count(trx)];
    });
    expect(counts).toEqual([before, before]);
    expect(await count(database.db)).toBe(before + 1);
  });

  it('fails as what reads it fails, and gives its connection back either way', async () => {
    // More often than the pool has connections.
    for (let i = 0; i < 20; i++) {
      const failing = readSnapshot(database.db, () => Promise.reject(new Error('no such cursor')));
      await expect(failing).rejects.toThrow('no such cursor');
      await readSnapshot(database.db, count);
    }
    expect(await readSnapshot(database.db, count)).toBeGreaterThanOrEqual(0);
  });

  it('is for reading alone', async () => {
    await expect(readSnapshot(database.db, add)).rejects.toThrow('read-only transaction');
  });
});
