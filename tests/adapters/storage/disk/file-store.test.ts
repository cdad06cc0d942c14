import { hash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DiskFileStore, openFileStore } from '../../../../adapters/storage/disk/file-areas.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { localFileStoreContract } from '../../contracts/local-file-store.ts';

const newDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'file-store-'));
const remove = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true });

const openNew = async () => {
  const directory = await newDirectory();
  return { store: await openFileStore({ directory }), close: () => remove(directory) };
};

fileStoreContract('the disk adapter', openNew);
localFileStoreContract('the disk adapter', openNew);

describe('the disk adapter', () => {
  let directory: string;
  let store: DiskFileStore;
  beforeAll(async () => {
    directory = await newDirectory();
    store = await openFileStore({ directory });
  });
  afterAll(() => remove(directory));

  it('lays files out in two levels by hash, and tells local readers where', async () => {
    const { sha256 } = await store.putText('found by path');
    expect(store.path(sha256)).toBe(join(directory, sha256.slice(0, 2), sha256));
    expect(store.path('../../etc/passwd')).toBeNull();
  });

  it('leaves no temporary file behind, whether a put succeeds or fails', async () => {
    await store.putMany(Array.from({ length: 40 }, () => randomBytes(50)));
    async function* tooLong(): AsyncGenerator<Uint8Array> {
      yield randomBytes(10);
    }
    await expect(store.putStream(tooLong(), 1)).rejects.toThrow('more than 1 bytes');
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
  });

  it('replaces a file that lost bytes', async () => {
    const bytes = randomBytes(100);
    const { sha256 } = await store.put(bytes);
    await truncate(store.path(sha256)!, 7);
    await store.put(bytes);
    expect(await store.read(sha256)).toEqual(bytes);
  });

  it('fails a put whose place is taken by something else, and the next one is not affected', async () => {
    const bytes = randomBytes(100);
    await mkdir(join(store.path(hash('sha256', bytes, 'hex'))!, 'in the way'), { recursive: true });
    await expect(store.put(bytes)).rejects.toMatchObject({ syscall: 'rename' });
    await expect(store.putText('next')).resolves.toMatchObject({ bytes: 4 });
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
  });

  it('is shared by several processes: each sees what the others put', async () => {
    const other = await openFileStore({ directory });
    const items = Array.from({ length: 20 }, () => randomBytes(20));
    await Promise.all([store.putMany(items), other.putMany(items)]);
    for (const { sha256 } of await other.putMany(items)) expect(await store.has(sha256)).toBe(true);
  });

  it('removes old temporary files at start, and only those', async () => {
    const path = join(directory, 'tmp');
    await writeFile(join(path, 'old'), 'x');
    await writeFile(join(path, 'young'), 'x');
    await utimes(join(path, 'old'), 1_000, 1_000);
    await utimes(join(path, 'young'), 2_000, 2_000);
    await openFileStore({ directory, temporaryMaxAgeMs: 500_000, now: () => 2_000_000 });
    expect(await readdir(path)).toEqual(['young']);
  });
});
