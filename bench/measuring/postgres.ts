import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { type DatabaseAddress, createDatabase } from '../../adapters/postgres/connection.ts';
import { tcpHost } from '../../tests/support/tcp-host.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An embedded Postgres of its own, set up as the program sets it up: every commit is on disk.
 *
 * @param settings further lines of postgresql.conf
 */
export const openPostgres = async (
  cleanup: AsyncDisposableStack,
  settings: readonly string[] = [],
): Promise<EmbeddedPostgres['administrator']> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const starting = startEmbeddedPostgres({ dataDir, settings });
  // From now on: a bench that is interrupted while the server starts leaves nothing running.
  cleanup.defer(() =>
    starting.then(
      ({ stop }) => stop(),
      () => {},
    ),
  );
  const { administrator } = await starting;
  // All sides by TCP: some rivals take a URL, which has no place for a socket.
  return { ...administrator, host: tcpHost(administrator.host) };
};

/**
 * Has the server look at what its tables hold, as it does by itself within minutes: on tables that were never analysed it
 * plans whatever comes, for one side as it may not for the other.
 */
export const analyse = async (address: DatabaseAddress): Promise<void> => {
  const { pool, close } = createDatabase({ ...address, poolSize: 1 });
  await pool.query('ANALYZE');
  await close();
};
