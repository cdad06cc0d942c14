import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../adapters/embedded-postgres/postmaster.ts';
import { eventually } from '../support/eventually.ts';
import { follow } from '../support/event-stream.ts';
import { readiness } from '../support/health.ts';
import { type ModelProvider } from '../support/model-provider.ts';
import { type Service, startService } from '../support/service.ts';

describe('the end of the started program', { timeout: 120_000 }, () => {
  const ROOT = new URL('../..', import.meta.url).pathname;
  const START = join(ROOT, 'composition', 'start.mjs');

  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledger-endings-'));
  });
  afterEach(async () => {
    // Whatever a test that failed has left running.
    for (const pid of await pids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Makes a Node take itself for one that is too old. */
  const OLD = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
  )}`;

  const run = (program: string, args: readonly string[], detached = false): ChildProcess =>
    spawn(program, args, {
      cwd: ROOT,
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        npm_config_update_notifier: 'false',
        PORT: '0',
        KNOWLEDGER_DRAIN_MS: '0',
        KNOWLEDGER_DATA_DIR: join(folder, 'data'),
        KNOWLEDGER_CONSOLE: 'off',
      },
    });

  /** All that it printed so far, once it listens. */
  const listening = async (child: ChildProcess): Promise<() => string> => {
    let seen = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        seen += chunk.toString();
        if (seen.includes('listening on')) resolve();
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      child.once('exit', () => reject(new Error(`it ended: ${seen}`)));
    });
    return () => seen;
  };

  /** Of the service and of its Postgres. */
  const pids = async (): Promise<readonly number[]> => {
    const read = (path: string) => readFile(join(folder, 'data', 'postgres', path), 'utf8').catch(() => '');
    const [lock, postmaster] = [await read('service.lock'), await read('cluster/postmaster.pid')];
    return [Number(/"pid":(\d+)/.exec(lock)?.[1] ?? 0), Number(postmaster.split('\n')[0])].filter(Boolean);
  };

  /** Also of a process whose end its new parent has not asked for yet. */
  const gone = async (pid: number): Promise<boolean> => {
    if (!isAlive(pid)) return true;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  };
  const allGone = async (of: readonly number[]): Promise<boolean> =>
    (await Promise.all(of.map(gone))).every(Boolean);

  it('comes in good order when npm, which started it, is told to stop', async () => {
    const npm = run('npm', ['start']);
    const output = await listening(npm);
    const started = await pids();
    expect(started).toHaveLength(2);
    const closed = once(npm, 'close');
    npm.kill('SIGTERM');
    await closed;
    expect(output()).toContain('npm is gone: stopping');
    await eventually(() => allGone(started), Boolean);
    expect(await pids()).toEqual([]);
  });

  it('comes in good order when nobody reads any more what it prints', async () => {
    const service = run(process.execPath, [START]);
    await listening(service);
    const started = await pids();
    expect(started).toHaveLength(2);
    for (const pipe of [service.stdout!, service.stderr!]) pipe.destroy();
    const exit = once(service, 'exit');
    service.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    await eventually(() => allGone(started), Boolean);
    expect(await pids()).toEqual([]);
  });

  describe('where the Node of the system is too old and starts one that fits', () => {
    const started = async () => {
      const first = run(process.execPath, ['--import', OLD, START], true);
      const output = await listening(first);
      const others = await pids();
      expect(others).toHaveLength(2);
      expect(others).not.toContain(first.pid);
      return { first, output, others };
    };

    it.each(['SIGTERM', 'SIGINT'] as const)('comes in good order on %s', async (signal) => {
      const { first, others } = await started();
      const exit = once(first, 'exit');
      first.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(await allGone(others)).toBe(true);
      expect(await pids()).toEqual([]);
    });

    it('comes in good order on Ctrl-C, which a terminal sends to the whole group', async () => {
      const { first, output, others } = await started();
      const exit = once(first, 'exit');
      process.kill(-first.pid!, 'SIGINT');
      expect(await exit).toEqual([0, null]);
      expect(output().match(/stopping, once more/g)).toHaveLength(1);
      expect(await allGone(others)).toBe(true);
    });

    it('comes in good order when the first is killed', async () => {
      const { first, others } = await started();
      // What it printed to is closed by the last of them.
      const closed = once(first, 'close');
      first.kill('SIGKILL');
      await closed;
      await eventually(() => allGone(others), Boolean);
      expect(await pids()).toEqual([]);
    });
  });
});

describe('a service that gets SIGTERM', { timeout: 120_000 }, () => {
  let service: Service | undefined;
  let provider: ModelProvider | undefined;
  afterEach(async () => {
    await service?.dispose();
    await provider?.close();
    [service, provider] = [undefined, undefined];
  });

  /** What the log holds at level error, so far. */

  it('says so and serves on while others learn of it; a second signal ends it at once', async () => {
    service = await startService({ KNOWLEDGER_DRAIN_MS: '600000' });
    const { child } = service;
    const logged = once(child.stderr!, 'data');
    child.kill('SIGTERM');
    await logged;
    expect(await readiness(service)).toEqual({ status: 503, reasons: { server: 'stopping' } });
    const made = await service.api('POST', '/tags', { name: 'made late' });
    expect([made.status, made.headers.get('connection')]).toEqual([201, 'close']);
    // Views go on too, so that what was written is read.
    const position = made.headers.get('x-position') ?? '';
    const listed = await service.api('GET', '/tags', undefined, { 'x-min-position': position });
    expect([listed.status, listed.body.tags.length]).toEqual([200, 1]);
    const [tag] = await follow(service, '/events?category=tag', ({ data }) => data.type === 'TagCreated');
    expect(tag?.data.data.name).toBe('made late');
    expect(await service.end('SIGTERM')).toEqual([1, null]);
    // What it has left behind is taken over, and stopped with it, without another ten minutes.
    service = await startService({ KNOWLEDGER_DRAIN_MS: '0' }, service);
  });
});
