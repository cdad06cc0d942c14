import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import { query } from '../../support/embedded-cluster.ts';

const mounted: string[] = [];
/** A file system of its own, so small that it can be filled. Null where that is not allowed. */
const smallDisk = (path: string, megabytes: number): boolean => {
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0;
  if (done) mounted.push(path);
  return done;
};

describe.runIf(process.getuid?.() === 0)('a full disk', { timeout: 120_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledger-full-'));
  });
  afterAll(async () => {
    for (const path of mounted) spawnSync('umount', ['-l', path]);
    await rm(folder, { recursive: true, force: true });
  });

  it('is told with the place and the remedy, and what was begun is taken away', async ({ skip }) => {
    const dataDir = join(folder, 'small');
    await mkdir(dataDir);
    if (!smallDisk(dataDir, 12)) skip('no file system of its own can be mounted here');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new RegExp(`^the disk of ${dataDir} is full \\([\\d,]+ kB left\\): make room there\\. `),
    );
    expect(await readdir(dataDir)).toEqual(['password']);
  });

  it('heals under a living service when there is room', async ({ skip }) => {
    const dataDir = join(folder, 'filling');
    await mkdir(dataDir);
    if (!smallDisk(dataDir, 200)) skip('no file system of its own can be mounted here');
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    const said = async (part: string): Promise<void> => {
      while (lines.every((line) => !line.includes(part))) await new Promise(setImmediate);
    };
    await query(server.connection, 'CREATE TABLE kept (n int, t text)');
    await query(server.connection, `INSERT INTO kept VALUES (1, 'kept')`);
    await writeFile(join(dataDir, 'ballast'), Buffer.alloc(200 * 1024 * 1024)).catch(() => {});
    // The next part of the log of writes has no place: Postgres ends, and recovers only where there is room.
    const filling =
      'SELECT pg_switch_wal() FROM (SELECT pg_logical_emit_message(true, $$x$$, $$y$$)) AS written';
    const fill = async (): Promise<void> => {
      for (;;) await query(server.administrator, filling);
    };
    await expect(fill()).rejects.toThrow(/terminat|space|ECONN/i);
    await said('is full');
    await rm(join(dataDir, 'ballast'));
    await said('runs again');
    expect(await query(server.connection, 'SELECT n FROM kept')).toEqual([1]);
    await query(server.connection, `INSERT INTO kept VALUES (3, 'more')`);
    await server.stop();
  });
});
