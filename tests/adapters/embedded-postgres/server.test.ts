import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { servesCluster } from '../../../adapters/embedded-postgres/postmaster.ts';
import {
  type EmbeddedPostgres,
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../adapters/embedded-postgres/server.ts';
import { clusterIn, killedService, postmasterPid, query } from '../../support/embedded-cluster.ts';

/** Nothing here needs to survive a power cut; what is tested without this is said so. */
const settings = ['fsync = off'];

// One cluster for all tests, which run in order: making one takes a second or more.
describe('an embedded Postgres', { timeout: 60_000 }, () => {
  let dataDir: string;
  let running: EmbeddedPostgres | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger embedded '));
  });
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = undefined;
  };
  afterEach(stop);
  afterAll(async () => {
    // Whatever a failed test has left behind: the next service takes it over and stops it.
    await startEmbeddedPostgres({ dataDir }).then((server) => server.stop());
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (): Promise<EmbeddedPostgres> =>
    (running = await startEmbeddedPostgres({ dataDir, settings }));
  const gone = async (pid: number): Promise<void> => {
    while (await servesCluster(pid, clusterIn(dataDir)));
  };

  it('starts in an empty directory, with durable and predictable settings', async () => {
    running = await startEmbeddedPostgres({ dataDir });
    expect(running.adopted).toBe(false);
    const shown = ['fsync', 'synchronous_commit', 'server_encoding', 'TimeZone', 'listen_addresses', 'jit'];
    const list = shown.map((name) => `current_setting('${name}')`).join();
    const values = ['on', 'on', 'UTF8', 'UTC', '127.0.0.1', 'off'];
    expect(await query(running.connection, `SELECT ${list}`)).toEqual(values);
    const sorted = `SELECT w FROM unnest(ARRAY['b', 'ä', 'B', 'a', '漢']) w ORDER BY w`;
    expect(await query(running.connection, sorted)).toEqual(['B', 'a', 'b', 'ä', '漢']);
    expect(await query(running.connection, `SELECT upper('ä')`)).toEqual(['Ä']);
    await query(running.connection, 'CREATE TABLE kept (n int)');
  });

  it('keeps its write-ahead log small', async () => {
    running = await startEmbeddedPostgres({ dataDir });
    const shown = ['wal_segment_size', 'max_wal_size', 'min_wal_size', 'wal_recycle', 'wal_compression'];
    const list = shown.map((name) => `current_setting('${name}')`).join();
    expect(await query(running.connection, `SELECT ${list}`)).toEqual([
      '4MB',
      '128MB',
      '32MB',
      'off',
      'pglz',
    ]);
  });

  it('keeps its data over a restart, and lets nobody in without the password', async () => {
    const { connection } = await start();
    expect(await query(connection, 'SELECT count(*)::int FROM kept')).toEqual([0]);
    await expect(query({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toThrow('password');
    for (const file of ['password', 'server.log', 'cluster/postgresql.conf']) {
      expect((await stat(join(dataDir, file))).mode & 0o077).toBe(0);
    }
  });

  it('refuses a second service and serves other programs', async () => {
    expect(await connectEmbeddedPostgres({ dataDir })).toBeNull();
    const { connection } = await start();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('in use by another service');
    const other = spawn(process.execPath, [join(import.meta.dirname, 'service.mjs'), dataDir]);
    let complaint = '';
    other.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
    expect(await once(other, 'exit')).toEqual([1, null]);
    expect(complaint).toContain(`in use by another service, process ${process.pid}`);
    expect(await connectEmbeddedPostgres({ dataDir })).toEqual(connection);
    await stop();
    expect(await connectEmbeddedPostgres({ dataDir })).toBeNull();
  });

  it('stops once, with connections open, and frees the directory', async () => {
    const server = await start();
    const client = new pg.Client(server.connection);
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    const pid = await postmasterPid(dataDir);
    await Promise.all([server.stop(), server.stop()]);
    expect(await servesCluster(pid, clusterIn(dataDir))).toBe(false);
    await expect(stat(join(dataDir, 'service.lock'))).rejects.toThrow('ENOENT');
  });

  it('takes over the server of a service that was killed', async () => {
    const killed = await killedService(dataDir);
    await query(killed.connection, 'INSERT INTO kept VALUES (1)');
    const server = await start();
    expect(server.adopted).toBe(true);
    expect(server.connection).toEqual(killed.connection);
    expect(await query(server.connection, 'SELECT n FROM kept')).toEqual([1]);
    await stop();
    expect(await servesCluster(killed.pid, clusterIn(dataDir))).toBe(false);
  });

  it('recovers when service and server were killed', async () => {
    const killed = await killedService(dataDir);
    await query(killed.connection, 'INSERT INTO kept VALUES (2)');
    process.kill(killed.pid, 'SIGKILL');
    await gone(killed.pid);
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await query(server.connection, 'SELECT n FROM kept ORDER BY n')).toEqual([1, 2]);
  });

  it('is not misled by a pid file that names another living process', async () => {
    await start();
    await stop();
    const lines = [process.pid, join(dataDir, 'cluster'), 1, 5432, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), lines.join('\n'));
    expect(await connectEmbeddedPostgres({ dataDir })).toBeNull();
    expect((await start()).adopted).toBe(false);
  });

  it('says why the server does not start, and frees the directory', async () => {
    const broken = startEmbeddedPostgres({ dataDir, settings: ['shared_buffers = nonsense'] });
    await expect(broken).rejects.toThrow(/did not start[^]*nonsense/);
    await start();
  });

  it('leaves a cluster of another version alone', async () => {
    const file = join(dataDir, 'cluster', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '9\n');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('was created by Postgres 9');
    await writeFile(file, version);
    await start();
  });
});
