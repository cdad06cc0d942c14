import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../../adapters/embedded-postgres/postmaster.ts';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { eventually } from '../support/eventually.ts';
import { crawl, ended } from '../support/crawls.ts';
import { clusterIn, postmasterPid } from '../support/embedded-cluster.ts';
import { readiness } from '../support/health.ts';
import { type Service, startService } from '../support/service.ts';
import { manyPages, openSite } from '../support/site.ts';

const START = new URL('../../composition/start.mjs', import.meta.url).pathname;
const PAGES = 40;

let service: Service | undefined;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-postgres-'));
});
afterEach(async () => {
  await service?.dispose();
  service = undefined;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const postgresOf = (dataDir: string): string => join(dataDir, 'postgres');
const noPostgres = async (dataDir: string): Promise<boolean> =>
  (await processesOf(clusterIn(postgresOf(dataDir)))).length === 0;
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
const until = (so: () => Promise<boolean>): Promise<boolean> => eventually(so, Boolean);
const starting = (): ChildProcess =>
  spawn(process.execPath, [START], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      KNOWLEDGER_CONSOLE: 'off',
      KNOWLEDGER_DATA_DIR: folder,
    },
  });

describe('a service on its embedded Postgres', { timeout: 240_000 }, () => {
  it('goes on by itself when the server is killed in the middle of a crawl, and loses nothing', async () => {
    const site = await openSite(manyPages(PAGES));
    const running = (service = await startService({ KNOWLEDGER_ALLOW_ADDRESSES: site.host }));
    const held = site.holdAfter(PAGES / 2);
    const { id } = await crawl(running, `${site.origin}/`);
    const release = await held;
    process.kill(await postmasterPid(postgresOf(running.dataDir)), 'SIGKILL');
    // A backend may answer once more before it notices that its server is gone.
    expect([200, 503]).toContain((await running.api('GET', '/crawls')).status);
    release();
    await until(async () => (await readiness(running)).status === 200);
    const last = (await ended(running, id)).at(-1);
    expect(last).toMatchObject({ type: 'JobSucceeded', data: { counts: { seen: PAGES, failed: 0 } } });
    await running.post('/tags', { body: { name: 'after' } });
    expect(running.output()).toContain('the embedded Postgres runs again');
    await site.close();
  });

  it('ends with what the server said last when it cannot be had for a minute', async () => {
    const running = (service = await startService());
    const control = join(clusterIn(postgresOf(running.dataDir)), 'global', 'pg_control');
    const pid = await postmasterPid(postgresOf(running.dataDir));
    const exit = once(running.child, 'exit');
    await rename(control, `${control}.aside`);
    process.kill(pid, 'SIGKILL');
    expect(await exit).toEqual([1, null]);
    const last = running.output().trimEnd().split('\n').at(-1);
    expect(last).toMatch(/"level":"error".*exited and could not be restarted within 6\d s: .*pg_control/);
  });

  it('is stopped while it starts without delay, and leaves nothing', async () => {
    const child = starting();
    const output = text(child.stderr!);
    await until(() => exists(join(postgresOf(folder), 'cluster.new', 'PG_VERSION')));
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await output).not.toContain('"level":"error"');
    expect(await readdir(postgresOf(folder))).toEqual(['password']);
  });

  it('stops its server also when work cannot be put down in time, and uses no attempt for that', async () => {
    const site = await openSite(manyPages(PAGES));
    let running = (service = await startService({ KNOWLEDGER_ALLOW_ADDRESSES: site.host }));
    const held = site.holdAfter(PAGES / 2);
    const { id } = await crawl(running, `${site.origin}/`);
    const release = await held;
    const client = new pg.Client(
      (await connectEmbeddedPostgres({ dataDir: postgresOf(running.dataDir) })) ?? {},
    );
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN; LOCK TABLE es.events IN EXCLUSIVE MODE');
    expect(await running.end('SIGTERM')).toEqual([1, null]);
    expect(await noPostgres(running.dataDir)).toBe(true);
    expect(running.output()).toContain('the stop takes too long');
    release();
    running = service = await running.again();
    const events = await ended(running, id);
    expect(events.at(-1)).toMatchObject({ type: 'JobSucceeded' });
    expect(events.filter(({ type }) => type === 'JobRequeued')).toMatchObject([{ data: { attempt: 1 } }]);
    await site.close();
  });

  it('tells its server to stop when it is told twice and does not wait', async () => {
    const running = (service = await startService());
    const client = new pg.Client(
      (await connectEmbeddedPostgres({ dataDir: postgresOf(running.dataDir) })) ?? {},
    );
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN; LOCK TABLE es.events IN ACCESS EXCLUSIVE MODE');
    const exit = once(running.child, 'exit');
    const told = once(running.child.stderr!, 'data');
    running.child.kill('SIGTERM');
    await told;
    running.child.kill('SIGTERM');
    expect(await exit).toEqual([1, null]);
    await until(() => noPostgres(running.dataDir));
  });
});
