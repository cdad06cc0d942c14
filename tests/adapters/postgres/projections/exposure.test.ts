import { sql } from 'kysely';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createVersion,
  liveVersion,
  schemaOf,
  switchOver,
  type Version,
} from '../../../../adapters/postgres/projections/versions.ts';
import { dataSourceProjection } from '../../../../adapters/postgres/projections/views.ts';
import { openWorld, type World } from '../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld([dataSourceProjection]);
}, 60_000);
afterAll(() => world.close());

const { view, tables } = dataSourceProjection;
const read = (db: Sql, table: string | undefined) =>
  sql`select count(*) from ${sql.id('read', String(table))}`.execute(db);
/** Resolves once somebody waits for a lock on something that the database has views for. */
const somebodyWaits = async (): Promise<void> => {
  for (;;) {
    const { rows } =
      await sql`select from pg_locks where not granted and relation is not null limit 1`.execute(world.db);
    if (rows.length > 0) return;
  }
};

/** The database; `triedAgain` resolves when a second transaction begins on it. */
const countingTries = () => {
  const { promise: triedAgain, resolve } = Promise.withResolvers<void>();
  let tries = 0;
  const db = new Proxy(world.db, {
    get: (target, name) => {
      if (name === 'transaction' && (tries += 1) === 2) resolve();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { db, triedAgain };
};

it('a switch to another version fails no reader that stands in its way, and waits for it', async () => {
  const next = await createVersion(world.db, dataSourceProjection, false);
  let switching: Promise<boolean> | undefined;
  await world.db.transaction().execute(async (trx: World['db']) => {
    // The reader has the last view, and asks for the first when that is taken.
    await read(trx, tables.at(-1));
    switching = switchOver(world.db, dataSourceProjection, next);
    await somebodyWaits();
    expect((await read(trx, tables[0])).rows).toHaveLength(1);
    expect((await liveVersion(world.db, view))?.version).not.toBe(next.version);
  });
  expect(await switching).toBe(true);
  expect((await liveVersion(world.db, view))?.version).toBe(next.version);
});

it('a switch waits for a reader whose snapshot is older than the rows of the other version', async () => {
  const counted = async (db: Sql): Promise<unknown> =>
    (await sql<{ n: number }>`select n from read.data_source_count`.execute(db)).rows;
  const fill = ({ version }: Version) =>
    sql`insert into ${sql.id(schemaOf(view, version), 'data_source_count')} values ('acme', 'crawl', 7)`.execute(
      world.db,
    );
  await fill((await liveVersion(world.db, view))!);
  let switching: Promise<boolean> | undefined;
  const reader = world.db.transaction().setIsolationLevel('repeatable read');
  await reader.execute(async (trx: World['db']) => {
    // Its snapshot is taken; none of the views is.
    await sql`select 1`.execute(trx);
    const next = await createVersion(world.db, dataSourceProjection, false);
    await fill(next);
    const { db, triedAgain } = countingTries();
    switching = switchOver(db, dataSourceProjection, next);
    // One try has been given up because of this reader.
    await Promise.race([switching, triedAgain]);
    expect(await counted(trx)).toEqual([{ n: 7 }]);
  });
  expect(await switching).toBe(true);
  expect(await counted(world.db)).toEqual([{ n: 7 }]);
});

it('a switch that is told to stop leaves the live version as it is', async () => {
  const before = await liveVersion(world.db, view);
  const next = await createVersion(world.db, dataSourceProjection, false);
  const stop = new AbortController();
  await world.db.transaction().execute(async (trx: World['db']) => {
    await read(trx, tables[0]);
    const switching = switchOver(world.db, dataSourceProjection, next, stop.signal);
    await somebodyWaits();
    stop.abort();
    await expect(switching).rejects.toThrow(/abort/);
  });
  expect(await liveVersion(world.db, view)).toEqual(before);
});
