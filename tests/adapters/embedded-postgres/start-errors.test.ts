import { mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../adapters/embedded-postgres/server.ts';
import { killedService, nothingRuns, query } from '../../support/embedded-cluster.ts';

describe('a data directory that a power cut or a hand has damaged', { timeout: 120_000 }, () => {
  let dataDir: string;
  let server: EmbeddedPostgres | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger-damaged-'));
    await start();
    await query(server!.connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    await stop();
  });
  const start = async (options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> =>
    (server = await startEmbeddedPostgres({ dataDir, ...options }));
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  afterEach(stop);
  afterAll(async () => {
    await nothingRuns(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  const file = (...path: readonly string[]): string => join(dataDir, ...path);
  /** What a start finds of the data. */
  const found = async (): Promise<readonly unknown[]> =>
    query((await start()).connection, 'SELECT n FROM kept');

  it('names the damaged lock, and what to do, where a server runs', async () => {
    const { pid } = await killedService(dataDir);
    await truncate(file('service.lock'));
    await expect(start()).rejects.toThrow(
      new RegExp(`service\\.lock is damaged.*process ${pid}.*kill -INT ${pid}`),
    );
    process.kill(pid, 'SIGINT');
    await nothingRuns(dataDir);
    expect(await found()).toEqual([7]);
  });

  it('starts over an empty postmaster.pid', async () => {
    await writeFile(file('cluster', 'postmaster.pid'), '');
    expect(await found()).toEqual([7]);
  });

  it.each(['emptied', 'deleted'])('sets a new password where its file was %s', async (how) => {
    const before = await readFile(file('password'), 'utf8');
    if (how === 'emptied') await truncate(file('password'));
    else await rm(file('password'));
    expect(await found()).toEqual([7]);
    const after = await readFile(file('password'), 'utf8');
    expect(after).toMatch(/^[\w-]{32}$/);
    expect(after).not.toBe(before);
    expect((await stat(file('password'))).mode & 0o077).toBe(0);
  });

  it('sets a new password also where a server of a killed service runs', async () => {
    await killedService(dataDir);
    await truncate(file('password'));
    expect(await found()).toEqual([7]);
  });

  it('names the password file that belongs to another cluster', async () => {
    const password = await readFile(file('password'), 'utf8');
    await writeFile(file('password'), 'another');
    await expect(start()).rejects.toThrow(
      /password in .*password is not the password of .*cluster: restore.*delete/,
    );
    await writeFile(file('password'), password);
    expect(await found()).toEqual([7]);
  });

  it('names a PG_VERSION that is empty or missing, and changes nothing', async () => {
    const version = file('cluster', 'PG_VERSION');
    await rename(version, file('aside'));
    await expect(start()).rejects.toThrow(/PG_VERSION is missing: .*backup/);
    await writeFile(version, '');
    await expect(start()).rejects.toThrow(/PG_VERSION is empty: .*backup/);
    await rename(file('aside'), version);
    expect(await readdir(dataDir)).not.toContain('cluster.new');
    expect(await found()).toEqual([7]);
  });
});
