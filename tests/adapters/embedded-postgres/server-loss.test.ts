import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processesOf, servesCluster } from '../../../adapters/embedded-postgres/postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import {
  clusterIn,
  killedService,
  nothingRuns,
  postmasterPid,
  query,
  serviceOn,
} from '../../support/embedded-cluster.ts';

describe('an embedded Postgres that ends under its service', { timeout: 120_000 }, () => {
  let dataDir: string;
  let server: EmbeddedPostgres | undefined;
  let lines: string[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger-loss-'));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    lines = [];
  });
  afterAll(async () => {
    await nothingRuns(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (): Promise<EmbeddedPostgres> =>
    (server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) }));
  const runsAgain = async (times = 1): Promise<void> => {
    while (lines.filter((line) => line === 'the embedded Postgres runs again').length < times) {
      await new Promise(setImmediate);
    }
  };

  it('is started again where it was, with what was committed', async () => {
    const { connection } = await start();
    await query(connection, 'CREATE TABLE kept (n int)');
    for (const n of [1, 2]) {
      await query(connection, `INSERT INTO kept VALUES (${n})`);
      process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await runsAgain(n);
    }
    expect(await query(connection, 'SELECT n FROM kept ORDER BY n')).toEqual([1, 2]);
    expect(lines).toContain('the embedded Postgres ended with SIGKILL: starting it again');
  });

  it('is started again also when it was taken over from a service that was killed', async () => {
    const killed = await killedService(dataDir);
    const { connection, adopted } = await start();
    expect(adopted).toBe(true);
    process.kill(killed.pid, 'SIGKILL');
    await runsAgain();
    expect(await query(connection, 'SELECT 1')).toEqual([1]);
  });

  it.runIf(process.platform === 'linux')('does not wait for what the dead one left frozen', async () => {
    const { connection } = await start();
    const client = new pg.Client(connection);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]!.pid, 'SIGSTOP');
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    await runsAgain();
    expect(await servesCluster(rows[0]!.pid, clusterIn(dataDir))).toBe(false);
    await client.end().catch(() => {});
  });

  it('stays stopped when it is stopped while it is being started again', async () => {
    const running = await start();
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    while (lines.every((line) => !line.includes('starting it again'))) await new Promise(setImmediate);
    await running.stop();
    expect(await processesOf(clusterIn(dataDir))).toEqual([]);
    await expect(readFile(join(dataDir, 'service.lock'))).rejects.toThrow('ENOENT');
  });

  it('is told to stop by a service that exits in the middle', async () => {
    const { service } = await serviceOn(dataDir);
    const exit = once(service, 'exit');
    service.stdin!.write('exit\n');
    expect(await exit).toEqual([3, null]);
    await nothingRuns(dataDir);
    expect(await readFile(join(dataDir, 'server.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
  });

  it.runIf(process.platform === 'linux')('is found and ended where its pid file is damaged', async () => {
    const killed = await killedService(dataDir);
    await truncate(join(clusterIn(dataDir), 'postmaster.pid'));
    await start();
    expect(await postmasterPid(dataDir)).not.toBe(killed.pid);
    expect(await servesCluster(killed.pid, clusterIn(dataDir))).toBe(false);
  });
});
