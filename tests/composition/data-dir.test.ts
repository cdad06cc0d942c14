import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataDir } from '../../composition/data-dir.ts';
import { ConfigError } from '../../composition/environment.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'knowledger-data-dir-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

describe('the data directory', () => {
  it('is made with the folders above it, which others may go through at most', async () => {
    const dataDir = join(place, 'of', 'some', 'service');
    await makeDataDir(dataDir);
    for (const folder of [dataDir, join(place, 'of')]) {
      const { mode } = await stat(folder);
      expect((mode & 0o777).toString(8)).toBe(process.getuid?.() === 0 ? '711' : '700');
    }
  });

  it('stays as it is where it is there, however many make it at once', async () => {
    const dataDir = join(place, 'of', 'two');
    await Promise.all([makeDataDir(dataDir), makeDataDir(dataDir)]);
    await writeFile(join(dataDir, 'kept'), 'x');
    await makeDataDir(dataDir);
    expect((await stat(join(dataDir, 'kept'))).size).toBe(1);
  });

  it('is refused below a file, by the variable to set', async () => {
    await writeFile(join(place, 'file'), '');
    await expect(makeDataDir(join(place, 'file', 'data'))).rejects.toThrow(
      new ConfigError(
        `${join(place, 'file', 'data')} is no folder, or lies in what is none (ENOTDIR): ` +
          'set KNOWLEDGER_DATA_DIR to a folder that this user may write',
      ),
    );
  });

  it.skipIf(process.platform !== 'linux')('is refused where the system makes no folders', async () => {
    await expect(makeDataDir('/proc/knowledger/data')).rejects.toThrow(
      new ConfigError(
        '/proc/knowledger cannot be made (ENOENT): set KNOWLEDGER_DATA_DIR to a folder that this user may write',
      ),
    );
  });
});
