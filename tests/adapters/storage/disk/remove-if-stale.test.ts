import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeIfStale } from '../../../../adapters/storage/disk/file-areas.ts';

it('a file goes by the date that it has when it is removed, whatever it had when it was listed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stale-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [old, renewed] = [join(folder, 'old'), join(folder, 'renewed')];
  for (const path of [old, renewed]) await writeFile(path, 'words');
  await utimes(old, 1_000, 1_000);
  await utimes(renewed, 3_000, 3_000);
  expect(await removeIfStale(old, 2_000_000)).toBe(true);
  expect(await removeIfStale(renewed, 2_000_000)).toBe(false);
  expect(await removeIfStale(join(folder, 'gone'), 2_000_000)).toBe(false);
  expect(await readdir(folder)).toEqual(['renewed']);
});
