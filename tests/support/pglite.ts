import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createDatabase, type PostgresDatabase } from '../../adapters/postgres/connection.ts';
import { migrate, type Migration } from '../../adapters/postgres/migrate.ts';

/** What it can bring; `create extension` is left to who uses it. */
export type PgliteExtension = 'vector';

/**
 * Postgres in WebAssembly, in memory and in a process of its own, for extensions that no native server of the tests
 * has. It takes seconds to start and some 600 MB: one per test file.
 *
 * It has one session, which all connections share, and mixes up their answers when two are used at once. So there is
 * one pool of one connection: what uses the pool inside of a transaction waits for ever, advisory locks and settings
 * outlive their connection, `SKIP LOCKED`, NOTIFY, cancelling, `statement_timeout`, parallel and background workers
 * (autovacuum too) cannot be shown here, and its times are not those of a native server. Its user is a superuser.
 */
export const startPglite = async (
  extensions: readonly PgliteExtension[],
  migrations: readonly Migration[] = [],
): Promise<PostgresDatabase> => {
  const server = fork(new URL('pglite-server.mjs', import.meta.url), extensions);
  const exited = once(server, 'exit');
  const [port] = (await Promise.race([
    once(server, 'message'),
    exited.then(([code]) => {
      throw new Error(`PGlite did not start: it ended with ${code}`);
    }),
  ])) as [number];
  const address = { host: '127.0.0.1', port, user: 'postgres', password: 'postgres', database: 'postgres' };
  const database = createDatabase({ ...address, poolSize: 1 });
  const close = async (): Promise<void> => {
    await database.close();
    server.disconnect();
    await exited;
  };
  try {
    await migrate(database.pool, migrations);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...database, close };
};
