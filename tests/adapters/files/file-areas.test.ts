import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAreas } from '../../../adapters/files/file-areas.ts';
import { fileAreasContract } from '../contracts/file-areas.ts';

const ONE = '01a1fb75-64cc-71f4-80d9-5adbfbf54f87';
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'areas-'));

fileAreasContract('the disk adapter', async () => {
  const folder = await newFolder();
  return { areas: createFileAreas(folder), close: () => rm(folder, { recursive: true }) };
});

describe('file areas on disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leave no folder behind', async () => {
    const areas = createFileAreas(folder);
    await (await areas.area(ONE)).putText('words');
    expect(await readdir(folder)).toEqual([ONE]);
    await areas.remove(ONE);
    expect(await readdir(folder)).toEqual([]);
  });

  it('make their folder at the check, closed to others', async () => {
    const made = join(folder, 'files');
    await createFileAreas(made).check();
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('say that they cannot be used where their folder cannot be made', async () => {
    await writeFile(join(folder, 'a file'), '');
    const check = createFileAreas(join(folder, 'a file', 'files')).check();
    await expect(check).rejects.toMatchObject({ name: 'FileStoreUnavailable', reason: 'failed' });
  });
});
