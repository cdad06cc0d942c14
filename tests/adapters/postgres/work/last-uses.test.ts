import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLastUses } from '../../../../adapters/postgres/work/last-uses.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';
import { anyOf, type Sql } from '../../../../adapters/postgres/database-schema.ts';

let database: FreshDatabase;
let db: Sql;
beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  db = database.db;
});
afterAll(() => database.close());

describe('the last use of a record', () => {
  it('is the latest that any process tells of, until it is forgotten', async () => {
    const lastUses = createLastUses(db);
    const [one, two] = [randomUUID(), randomUUID()];
    await lastUses.used(one, 2_000);
    await lastUses.used(one, 1_000);
    await lastUses.used(two, 5);
    expect(await lastUses.lastUsed([one, two, randomUUID()])).toEqual(
      new Map([
        [one, 2_000],
        [two, 5],
      ]),
    );
    await lastUses.forget(two);
    expect(await lastUses.lastUsed([one, two])).toEqual(new Map([[one, 2_000]]));
    expect(await lastUses.lastUsed([])).toEqual(new Map());
  });

  it('is written by one statement for many records, of which some are used more than once', async () => {
    const lastUses = createLastUses(db);
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const uses = ids.flatMap((id, i) => [
      { id, at: i + 100 },
      { id, at: i },
    ]);
    await Promise.all(uses.map(({ id, at }) => lastUses.used(id, at)));
    expect(await lastUses.lastUsed(ids)).toEqual(new Map(ids.map((id, i) => [id, i + 100])));
    const { rows: transactions } = await sql`
      select distinct xmin::text from work.last_use where id = ${anyOf(ids, 'uuid')}`.execute(db);
    expect(transactions.length).toBeLessThanOrEqual(2);
  });

  it('is read and written by programs from before there were uses of keys', async () => {
    const lastUses = createLastUses(db);
    const id = randomUUID();
    await lastUses.used(id, 5);
    const use = (at: number) =>
      sql`insert into work.secret_use (secret_id, used_at) values (${id}, ${at})
        on conflict (secret_id) do update set used_at = excluded.used_at
        where work.secret_use.used_at < excluded.used_at`.execute(db);
    await use(4);
    expect((await lastUses.lastUsed([id])).get(id)).toBe(5);
    await use(6);
    expect((await lastUses.lastUsed([id])).get(id)).toBe(6);
    await sql`delete from work.secret_use where secret_id = ${id}`.execute(db);
    expect(await lastUses.lastUsed([id])).toEqual(new Map());
  });
});
