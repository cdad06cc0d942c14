import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesOf } from '../../../adapters/embedded-postgres/postmaster.ts';
import { startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import { clusterIn, killedService } from '../../support/embedded-cluster.ts';

describe('a start that is broken off', { timeout: 120_000 }, () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger-broken-off-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('leaves nothing of a cluster that is being made', async () => {
    const stopping = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir, signal: stopping.signal });
    const outcome = starting.catch((error: unknown) => error);
    const file = join(dataDir, 'cluster.new', 'PG_VERSION');
    while (
      !(await access(file).then(
        () => true,
        () => false,
      ))
    )
      await new Promise(setImmediate);
    const reason = new Error('stopped');
    stopping.abort(reason);
    expect(await outcome).toBe(reason);
    expect(await readdir(dataDir)).toEqual(['password']);
  });

  it('leaves no server that is about to answer', async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop();
    const reason = new Error('stopped');
    const broken = async (): Promise<unknown> => {
      const stopping = new AbortController();
      const starting = startEmbeddedPostgres({ dataDir, signal: stopping.signal });
      const outcome = starting.then(
        (server) => server.stop(),
        (error: unknown) => error,
      );
      while ((await processesOf(clusterIn(dataDir))).length === 0) await new Promise(setImmediate);
      stopping.abort(reason);
      return outcome;
    };
    // A busy machine may look so late that the server has answered.
    let outcome: unknown;
    for (let i = 0; i < 10 && outcome === undefined; i += 1) outcome = await broken();
    expect(outcome).toBe(reason);
    expect(await processesOf(clusterIn(dataDir))).toEqual([]);
    expect(await readdir(dataDir)).not.toContain('service.lock');
  });

  it.runIf(process.platform === 'linux')(
    'leaves no frozen server that it would have taken over',
    async () => {
      const { pid } = await killedService(dataDir);
      process.kill(pid, 'SIGSTOP');
      const stopping = new AbortController();
      const starting = startEmbeddedPostgres({ dataDir, signal: stopping.signal });
      const outcome = starting.catch((error: unknown) => error);
      while (!(await readdir(dataDir)).includes('service.lock')) await new Promise(setImmediate);
      const reason = new Error('stopped');
      stopping.abort(reason);
      expect(await outcome).toBe(reason);
      expect(await processesOf(clusterIn(dataDir))).toEqual([]);
    },
  );
});
