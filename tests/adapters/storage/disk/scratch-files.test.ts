import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFiles } from '../../../../adapters/storage/disk/scratch-files.ts';

describe('a scratch file', () => {
  it('holds the bytes while it is used, for this user alone, and is gone then', async () => {
    let path = '';
    const told = await scratchFiles.withFile(Buffer.from('a page'), async (at) => {
      path = at;
      const modes = await Promise.all([at, dirname(at)].map(async (one) => (await stat(one)).mode & 0o077));
      return [await readFile(at, 'utf8'), ...modes];
    });
    expect(told).toEqual(['a page', 0, 0]);
    await expect(readdir(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is gone as well when its use fails', async () => {
    let path = '';
    const using = scratchFiles.withFile(Buffer.from('a page'), async (at) => {
      path = at;
      throw new Error('no use');
    });
    await expect(using).rejects.toThrow('no use');
    await expect(stat(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
