import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createDatabase,
  type PostgresDatabase,
  readSnapshot,
} from '../../../adapters/postgres/connection.ts';
import type { Sql } from '../../../adapters/postgres/database-schema.ts';
import { withCommit } from '../../../adapters/postgres/transaction.ts';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.ts';

let database: FreshDatabase;
let through: PostgresDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await database.pool.query('create table public.thing (id int primary key, value bigint)');
  // One connection, so that what one transaction leaves behind is met by the next.
  through = createDatabase({ ...database.address, poolSize: 1 });
});
beforeEach(() => database.pool.query('truncate public.thing'));
afterAll(async () => {
  await through?.close();
  await database?.close();
});

const row = (id: number, value: number | string = id) =>
  sql`insert into public.thing values (${id}, ${value})`;
const put = (trx: Sql, id: number, value?: number | string) => row(id, value).execute(trx);
const kept = async (): Promise<readonly number[]> => {
  const { rows } = await database.pool.query<{ id: number }>('select id from public.thing order by id');
  return rows.map(({ id }) => id);
};

describe('a transaction', () => {
  it('keeps all of it, and answers what its work answers', async () => {
    const answer = await through.transact(async (trx) => {
      await put(trx, 1);
      const { rows } = await sql<{
        thingCount: number;
      }>`select count(*) as thing_count from public.thing`.execute(trx);
      await put(trx, 2);
      return rows;
    });
    expect(answer).toEqual([{ thingCount: 1 }]);
    expect(await kept()).toEqual([1, 2]);
  });

  it('keeps nothing where its work throws, or a statement fails', async () => {
    const thrown = through.transact(async (trx) => {
      await put(trx, 1);
      throw new Error('enough');
    });
    await expect(thrown).rejects.toThrow('enough');
    const refused = through.transact(async (trx) => {
      await put(trx, 1);
      await put(trx, 1);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(await kept()).toEqual([]);
    expect(await through.transact((trx) => put(trx, 3))).toMatchObject({ numAffectedRows: 1n });
    expect(await kept()).toEqual([3]);
  });

  it('runs statements in the order in which they are asked for, and answers each its own', async () => {
    const sums = await through.transact(async (trx) => {
      const asked = [1, 2, 3, 4, 5].map(async (id) => {
        const writing = put(trx, id, id * 10);
        const { rows } = await sql<{ sum: string }>`select sum(value)::text as sum from public.thing`.execute(
          trx,
        );
        await writing;
        return rows[0]!.sum;
      });
      return Promise.all(asked);
    });
    expect(sums).toEqual(['10', '30', '60', '100', '150']);
  });

  it.each([1, 2, 3])('runs nothing behind a statement that fails, number %i of three', async (failing) => {
    await put(database.db, 100 + failing);
    const asked = through.transact((trx) =>
      Promise.allSettled([1, 2, 3].map((id) => put(trx, 100 + (id === failing ? failing : id + 50)))),
    );
    await expect(asked).rejects.toMatchObject({ code: '23505' });
    expect(await kept()).toEqual([100 + failing]);
  });

  it('fails by a statement that nobody waits for, and is rolled back', async () => {
    await put(database.db, 7);
    const asked = through.transact(async (trx) => {
      await put(trx, 6);
      await withCommit(trx)(row(7));
      await withCommit(trx)(row(8));
    });
    await expect(asked).rejects.toMatchObject({ code: '23505' });
    expect(await kept()).toEqual([7]);
  });

  it('fails by the first failure, whatever its work makes of it', async () => {
    const hidden = through.transact(async (trx) => {
      await put(trx, 1, 'many').catch(() => {});
      await put(trx, 2).catch(() => {});
    });
    await expect(hidden).rejects.toMatchObject({ code: '22P02' });
    const other = through.transact(async (trx) => {
      await put(trx, 1, 'many').catch(() => {});
      await put(trx, 2);
    });
    await expect(other).rejects.toMatchObject({ code: '22P02' });
    expect(await kept()).toEqual([]);
  });

  it('fails where a value cannot be sent, before and behind others', async () => {
    const bad = {
      toJSON: () => {
        throw new Error('not me');
      },
    };
    const asked = through.transact((trx) =>
      Promise.allSettled([put(trx, 1), put(trx, 2, bad as never), put(trx, 3)]),
    );
    await expect(asked).rejects.toThrow('not me');
    await expect(through.transact((trx) => put(trx, 1, bad as never))).rejects.toThrow('not me');
    expect(await kept()).toEqual([]);
    await through.transact((trx) => put(trx, 5));
    expect(await kept()).toEqual([5]);
  });

  it('takes no statement once it has ended', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const asked = through.transact(async (trx) => {
      late = new Promise((resolve) => setImmediate(resolve)).then(() => put(trx, 9));
      late.catch(() => {});
      throw new Error('enough');
    });
    await expect(asked).rejects.toThrow('enough');
    await expect(late).rejects.toThrow('the transaction has ended');
    expect(await kept()).toEqual([]);
  });

  it('gives up a connection that breaks, and takes another', async () => {
    const asked = through.transact(async (trx) => {
      await put(trx, 1);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await put(trx, 2);
    });
    await expect(asked).rejects.toThrow(/connection|terminat|EPIPE|ECONNRESET/i);
    await through.transact((trx) => put(trx, 4));
    expect(await kept()).toEqual([4]);
  });
});

const count = async (db: Sql): Promise<number> =>
  Number((await sql<{ n: number }>`select count(*) as n from public.thing`.execute(db)).rows[0]?.n);

describe('a snapshot', () => {
  it('shows one state, whatever is written between its statements', async () => {
    const before = await count(database.db);
    const counts = await readSnapshot(database.db, async (trx) => {
      const first = await count(trx);
      await put(database.db, 8);
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
    await expect(readSnapshot(database.db, (trx) => put(trx, 9))).rejects.toThrow('read-only transaction');
  });
});
