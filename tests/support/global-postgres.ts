import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { DatabaseAddress } from '../../adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import type { EmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers the address of the run's Postgres as JSON, and starts that server at the first request. */
    readonly postgresBroker: string;
  }
}

/**
 * One Postgres per test run, in a temporary folder, started only when a test asks for it and thrown away at the
 * end. `DATABASE_URL_TEST` names another server instead; its user must be allowed to create databases.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let starting: Promise<{ readonly dataDir: string; readonly server: EmbeddedPostgres }> | undefined;
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-test-'));
    // The folder outlives no run, so nothing needs to reach the disk.
    const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 200'];
    return { dataDir, server: await startEmbeddedPostgres({ dataDir, settings }) };
  };
  const address = async (): Promise<DatabaseAddress> => {
    const given = process.env['DATABASE_URL_TEST'];
    if (given) return { connectionString: given };
    return (await (starting ??= start())).server.connection;
  };
  const broker = createServer((_request, response) => {
    address().then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  provide('postgresBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    const started = await starting?.catch(() => undefined);
    if (!started) return;
    await started.server.stop();
    await rm(started.dataDir, { recursive: true, force: true });
  };
};
