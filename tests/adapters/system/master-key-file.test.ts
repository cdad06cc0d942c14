import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMasterKeyFile, readMasterKeyFile } from '../../../adapters/system/cipher.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'master-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the file of the master key', () => {
  it('is made for its own user alone, in a folder that is made for it, and read again', async () => {
    const path = join(folder, 'data', 'master.key');
    expect(await readMasterKeyFile(path)).toBeNull();
    const made = await makeMasterKeyFile(path);
    expect(await readMasterKeyFile(path)).toEqual(made);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
    expect(Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')).toEqual(Buffer.from(made.bytes));
  });

  it('is one, however many make it at once, and nothing else is left', async () => {
    const path = join(folder, 'master.key');
    const made = await Promise.all(Array.from({ length: 8 }, () => makeMasterKeyFile(path)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await makeMasterKeyFile(path)).id).toBe(made[0]!.id);
    expect(await readdir(folder)).toEqual(['master.key']);
  });

  it('with anything else in it is refused, and left alone', async () => {
    const path = join(folder, 'master.key');
    await writeFile(path, 'not a key');
    await expect(readMasterKeyFile(path)).rejects.toThrow('does not contain a master key');
    await expect(makeMasterKeyFile(path)).rejects.toThrow('does not contain a master key');
    expect(await readFile(path, 'utf8')).toBe('not a key');
  });
});
