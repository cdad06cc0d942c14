import { chmod, cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateBinaries } from '../../../adapters/embedded-postgres/binaries.ts';
import { createCluster } from '../../../adapters/embedded-postgres/cluster.ts';
import { chownTo, identities } from '../../../adapters/embedded-postgres/identity.ts';
import { launch } from '../../../adapters/embedded-postgres/launch.ts';
import { prepareRuntime } from '../../../adapters/embedded-postgres/runtime.ts';
import { shutDown } from '../../../adapters/embedded-postgres/shutdown.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { kind: 'user', uid: 65_534, gid: 65_534 } as const;

describe('the identity of the embedded server', { timeout: 60_000 }, () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'knowledger-identity-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.runIf(isRoot)('stays with the user who has run the cluster so far', async () => {
    expect((await identities(join(directory, 'missing')))[0]?.kind).not.toBe('self');
    await chownTo(nobody, directory);
    expect((await identities(directory))[0]).toEqual(nobody);
  });

  it.runIf(isRoot)('can be another user, with binaries copied to where that user reaches them', async () => {
    const closed = join(directory, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await cp(join(locateBinaries(), '..'), join(closed, 'package'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const installed = join(closed, 'package', 'native');
    const dataDir = join(directory, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await chmod(directory, 0o711);
    const lines: string[] = [];
    const runtime = await prepareRuntime(dataDir, (line) => lines.push(line), {
      installed,
      identities: [nobody],
    });
    expect(runtime).toMatchObject({
      identity: nobody,
      native: expect.stringContaining(join(dataDir, 'binaries')),
    });
    expect(lines).toEqual([expect.stringContaining('copying')]);

    const password = 'secret';
    await createCluster(runtime, dataDir, password);
    const deadline = Date.now() + 60_000;
    const { port } = await launch(runtime, dataDir, { password, settings: ['fsync = off'], deadline });
    expect(port).toBeGreaterThan(0);
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe(nobody.uid);
    await shutDown(runtime, join(dataDir, 'cluster'));
  });

  it.runIf(isRoot)('is refused with the remedy where the other user cannot reach the data', async () => {
    const closed = join(directory, 'closed', 'data');
    await mkdir(closed, { recursive: true });
    await chmod(join(directory, 'closed'), 0o700);
    await expect(prepareRuntime(closed, () => {}, { identities: [nobody] })).rejects.toThrow('ordinary user');
  });
});
