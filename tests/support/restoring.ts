import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { eventStoreMigrations } from '../../adapters/postgres/events/migrations.ts';
import { type RecordedPosition, toPosition } from '../../adapters/postgres/events/read-streams.ts';
import { migrate } from '../../adapters/postgres/migrate.ts';
import type { Position } from '../../application/ports/event-store.ts';

/** Copies a folder with everything in it, owners and modes too. `to` must not exist yet. */
export const copyFolder = async (from: string, to: string): Promise<void> => {
  await promisify(execFile)('cp', ['-a', from, to]);
};

/** One connection to a database for as long as `work` takes. */
export const inServer = async <T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** How far the log goes; positions as text. */
export const endOfLog = (database: string): Promise<Position> =>
  inServer(database, async (client) => {
    const { rows } = await client.query<{ tx: string; pos: string }>(
      'SELECT e.tx::text, e.pos::text FROM es.events e ORDER BY e.tx DESC, e.pos DESC LIMIT 1',
    );
    const { tx, pos } = rows[0] ?? { tx: '0', pos: '0' };
    return toPosition([tx, pos] satisfies RecordedPosition);
  });

/**
 * Restores the event log alone into an empty database, as a dump of schema `es` would. The log is brought from a server
 * that has seen more transactions than this one.
 */
export const restoreEvents = async (from: string, to: string): Promise<void> => {
  const { pool, close } = createDatabase({ connectionString: to, poolSize: 1 });
  try {
    await migrate(pool, eventStoreMigrations);
    const { rows } = await inServer(from, (client) =>
      client.query<{ log: string }>('SELECT json_agg(e)::text AS log FROM es.events e'),
    );
    await pool.query('INSERT INTO es.events SELECT * FROM json_populate_recordset(NULL::es.events, $1)', [
      rows[0]?.log,
    ]);
    await pool.query('UPDATE es.events SET tx = tx + 1000000000');
  } finally {
    await close();
  }
};

/** What a dump leaves out that docs/operations.md calls the smaller one, and what is to be done after restoring it. */
export const stripViews = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname IN ('read', 'work', 'vectors') OR nspname ~ '_v[0-9]+$'`,
  );
  await client.query(`DROP SCHEMA ${rows.map(({ name }) => name).join(', ')} CASCADE`);
  await client.query('DROP TABLE projection_passed_stream, projection_version');
  await client.query(`DELETE FROM knowledger_migration WHERE id !~ '^(event-store|vault|proof)-'`);
};
