import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREPARED } from '../../../adapters/postgres/prepared-statements.ts';
import type { PostgresDatabase } from '../../../adapters/postgres/connection.ts';
import { freshDatabase } from '../../support/postgres.ts';

let database: PostgresDatabase;
beforeAll(async () => {
  // One connection: what it has prepared is seen by whoever asks.
  database = await freshDatabase([], { poolSize: 1 });
  await sql`create table public.old_thing (id int primary key, value int)`.execute(database.db);
  await sql`create table public.new_thing (id int primary key, value text)`.execute(database.db);
  await sql`insert into public.old_thing values (1, 10), (2, 20)`.execute(database.db);
  await sql`insert into public.new_thing values (1, 'ten'), (2, 'twenty')`.execute(database.db);
});
afterAll(() => database.close());

const pointAt = (table: string): Promise<unknown> =>
  database.pool.query(
    `begin; drop view if exists public.thing; create view public.thing as select * from public.${table}; commit`,
  );

const valueOf = async (id: number): Promise<unknown> => {
  const { rows } = await sql<{ value: unknown }>`
    select value from public.thing where id = ${id} ${PREPARED}`.execute(database.db);
  return rows[0]?.value;
};

const prepared = async (part: string): Promise<readonly string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select name from pg_prepared_statements where position($1 in statement) > 0`,
    [part],
  );
  return rows.map(({ name }) => name);
};

describe('a statement whose plan is kept', () => {
  it('reads the view that took the place of the one it was planned for', async () => {
    await pointAt('old_thing');
    expect(await valueOf(1)).toBe(10);
    await sql`create table public.same_thing (id int primary key, value int)`.execute(database.db);
    await sql`insert into public.same_thing values (1, 11)`.execute(database.db);
    await pointAt('same_thing');
    expect(await valueOf(1)).toBe(11);
  });

  it('is prepared anew where the columns of the view have changed, and answers that call too', async () => {
    await pointAt('old_thing');
    expect(await valueOf(1)).toBe(10);
    await pointAt('new_thing');
    expect([await valueOf(1), await valueOf(2)]).toEqual(['ten', 'twenty']);
    const names = await prepared('from public.thing');
    await pointAt('old_thing');
    expect([await valueOf(1), await valueOf(2)]).toEqual([10, 20]);
    expect((await prepared('from public.thing')).length).toBe(names.length + 1);
  });

  it('fails as it would without, and once', async () => {
    const tenOver = (n: number) => sql`select 10 / ${n}::int as n ${PREPARED}`.execute(database.db);
    expect((await tenOver(2)).rows).toEqual([{ n: 5 }]);
    await expect(tenOver(0)).rejects.toThrow('division by zero');
    expect((await tenOver(5)).rows).toEqual([{ n: 2 }]);
    expect(await prepared('select 10 /')).toHaveLength(1);
  });
});
