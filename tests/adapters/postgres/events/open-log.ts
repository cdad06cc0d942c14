import type pg from 'pg';
import { createPostgresEventFeed } from '../../../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../../../adapters/postgres/events/wake-up.ts';
import { type PostgresDatabase, createDatabase } from '../../../../adapters/postgres/connection.ts';
import type { NewEvent } from '../../../../application/ports/event-store.ts';
import { freshDatabase } from '../../../support/postgres.ts';

const process = (database: PostgresDatabase) => {
  const wakeUp = createWakeUp(database);
  const { pool } = database;
  const [store, feed] = [
    createPostgresEventStore({ pool, wakeUp }),
    createPostgresEventFeed({ pool, wakeUp }),
  ];
  return { database, pool, wakeUp, store, feed };
};

/** An event log in a database of its own, as one service process sees it; `another()` is a second such process. */
export const openLog = async (poolSize = 10) => {
  const database = await freshDatabase(eventStoreMigrations, { poolSize });
  const closing: (() => Promise<void>)[] = [database.close];
  const first = process(database);
  closing.unshift(first.wakeUp.close);
  return {
    ...first,
    address: database.address,
    another: () => {
      const other = process(createDatabase({ ...database.address, poolSize }));
      closing.unshift(other.wakeUp.close, other.database.close);
      return other;
    },
    /** A session of its own for transactions that the test holds open. */
    session: async (): Promise<pg.Client> => {
      const client = database.newClient();
      client.on('error', () => {});
      await client.connect();
      closing.unshift(() => client.end());
      return client;
    },
    close: async () => {
      for (const close of closing) await close();
    },
  };
};

export type OpenLog = Awaited<ReturnType<typeof openLog>>;

/** Appends inside the session's open transaction, which the event store itself never does. */
export const appendWithin = (
  client: pg.Client,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
) =>
  client.query('SELECT es.append($1, $2, $3, $4, $5, $6, $7)', [
    stream,
    expected,
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map(() => null),
    events.map((event) => JSON.stringify(event.data)).join('\n'),
    events.map((event) => JSON.stringify(event.metadata)).join('\n'),
  ]);

/**
 * Resolves once `count` sessions of this database wait for another's lock: what a test did before has arrived. Not
 * asked within a transaction, where Postgres shows the same picture of other sessions again and again.
 */
export const untilBlocked = async (pool: pg.Pool, count = 1): Promise<void> => {
  const sql = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (;;) {
    const { rows } = await pool.query<{ count: string | number }>(sql);
    if (Number(rows[0]?.count) >= count) return;
  }
};
