import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKeyFile, readKeyFile } from '../../../adapters/system/cipher.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'master-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the file of the master key', () => {
  it('is made for its own user alone, in a folder that is made for it, and read again', async () => {
    const path = join(folder, 'data', 'master.key');
    expect(await readKeyFile(path)).toBeNull();
    const made = await makeKeyFile(path);
    expect(await readKeyFile(path)).toEqual(made);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
    expect(Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')).toEqual(Buffer.from(made.bytes));
  });

  it('is one, however many make it at once, and nothing else is left', async () => {
    const path = join(folder, 'master.key');
    const made = await Promise.all(Array.from({ length: 8 }, () => makeKeyFile(path)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await makeKeyFile(path)).id).toBe(made[0]!.id);
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('with anything else in it is refused, and left alone', async () => {
    const path = join(folder, 'master.key');
    await writeFile(path, 'not a key');
    await expect(readKeyFile(path)).rejects.toThrow('does not contain a key');
    await expect(makeKeyFile(path)).rejects.toThrow('does not contain a key');
    expect(await readFile(path, 'utf8')).toBe('not a key');
  });
});
