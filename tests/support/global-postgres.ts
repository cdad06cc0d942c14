import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { quickFolder } from './quick-folder.ts';

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
    await sweep();
    const dataDir = await mkdtemp(join(quickFolder(), PREFIX));
    // The folder outlives no run, so nothing needs to reach the disk.
    const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 200'];
    return { dataDir, server: await startEmbeddedPostgres({ dataDir, settings }) };
  };
  const given = process.env['DATABASE_URL_TEST'];
  const address = async (): Promise<DatabaseAddress> =>
    given ? { connectionString: given } : (await (starting ??= start())).server.administrator;
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
    if (given) await dropTemplates(given);
    const started = await starting?.catch(() => undefined);
    if (!started) return;
    await started.server.stop();
    await rm(started.dataDir, { recursive: true, force: true });
  };
};

/** A server that outlives the run keeps nothing of it; each test has dropped its own database. */
const dropTemplates = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const made = `SELECT datname FROM pg_database WHERE datname ~ '^template_[0-9a-f]{32}$'`;
  const { rows } = await client.query<{ datname: string }>(made);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname}`);
  await client.end();
};

const PREFIX = 'knowledger-test-';

/** Ends the servers of runs that were killed. That of a run which lives is refused by its lock, and left alone. */
const sweep = async (): Promise<void> => {
  for (const folder of new Set([tmpdir(), quickFolder()])) {
    for (const name of (await readdir(folder)).filter((entry) => entry.startsWith(PREFIX))) {
      const dataDir = join(folder, name);
      try {
        await access(join(dataDir, 'service.lock'));
        await (await startEmbeddedPostgres({ dataDir })).stop();
        await rm(dataDir, { recursive: true, force: true });
      } catch {
        // In use, or not even a server's folder yet.
      }
    }
  }
};
