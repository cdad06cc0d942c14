import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAreas } from '../../../../adapters/storage/disk/file-areas.ts';
import { fileAreasContract } from '../../contracts/file-areas.ts';

const ONE = '01a1fb75-64cc-71f4-80d9-5adbfbf54f87';
const OTHER = '01a1fb75-64cc-71f4-80d9-5adbfbf54f88';
const NAMESPACE = ['--user', '--mount', '--map-root-user'];
/** Whether this machine gives us a disk of our own to fill. */
const canMount = (): boolean =>
  spawnSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
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

  it('are lost with the mark of their place: nothing is made, found absent or deleted there', async () => {
    const place = join(folder, 'files');
    const areas = createFileAreas(place);
    const mark = await areas.claim(null, 'the mark');
    const { sha256 } = await (await areas.area(ONE)).putText('words');
    await rename(place, `${place} away`);
    const lost = { name: 'FileStoreUnavailable', reason: 'missing', message: /Is the volume mounted\?/ };
    const one = await areas.area(ONE);
    const calls = [
      () => areas.check(),
      () => areas.area(OTHER),
      () => areas.remove(ONE),
      () => areas.sweep(ONE, new Set(), Date.now()),
      () => one.read(sha256),
      () => one.open(sha256),
      () => one.has(sha256),
      () => createFileAreas(place).claim(mark, 'another'),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ ...lost, message: expect.stringMatching(lost.message) });
    }
    await expect(one.putText('more')).rejects.toThrow('ENOENT');
    // An empty place, as of a volume that is not mounted, is none either.
    await mkdir(place);
    for (const call of calls) await expect(call()).rejects.toMatchObject({ reason: 'missing' });
    await expect(one.putText('more')).rejects.toThrow('ENOENT');
    expect(await readdir(place)).toEqual([]);
    await rmdir(place);
    await rename(`${place} away`, place);
    await areas.check();
    expect((await one.read(sha256))?.toString()).toBe('words');
    expect(await areas.remove(ONE)).toBe(5);
  });

  it('are not those of another service', async () => {
    await createFileAreas(folder).claim(null, 'of another');
    await expect(createFileAreas(folder).claim('ours', 'fresh')).rejects.toMatchObject({
      reason: 'missing',
      message: expect.stringContaining('contains the files of another service'),
    });
  });

  it('can be begun anew by making the mark, as the error says', async () => {
    const areas = createFileAreas(join(folder, 'new'));
    const told = await areas.claim('ours', 'fresh').catch((error: Error) => error.message);
    const [, path = '', mark = ''] =
      /there is no (\S+)\. Is[^]*the single line (\S+)/.exec(String(told)) ?? [];
    await mkdir(dirname(path));
    await writeFile(path, mark);
    expect(await areas.claim('ours', 'fresh')).toBe('ours');
    await areas.check();
  });

  it.skipIf(!canMount())('say that there is no room, and when there is again', async () => {
    const script = join(import.meta.dirname, 'fixtures', 'full-disk.ts');
    const mounted = 'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$1" "$2" "$0"';
    const run = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', mounted, folder, process.execPath, script]);
    expect(JSON.parse(run.stdout.toString())).toEqual(['ok', 'FileStoreUnavailable full', 'ok']);
  });

  it('leave nothing behind when they are checked, and do not wait for a disk that hangs', async () => {
    const areas = createFileAreas(folder);
    await areas.check();
    expect(await readdir(folder)).toEqual([]);
    const hung = areas.check(AbortSignal.abort());
    await expect(hung).rejects.toMatchObject({ reason: 'stopped' });
  });

  it('say that they cannot be used where their folder cannot be made', async () => {
    await writeFile(join(folder, 'a file'), '');
    const check = createFileAreas(join(folder, 'a file', 'files')).check();
    await expect(check).rejects.toMatchObject({ name: 'FileStoreUnavailable', reason: 'failed' });
  });
});
