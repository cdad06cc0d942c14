import { randomUUID } from 'node:crypto';
import { writeFile as callbackWriteFile } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FILE_MODE, makeDirectory } from './directories.ts';

/** By callbacks inside: a crawl writes thousands of small files, and an object with promises for each is felt. */
const writeFile = promisify(callbackWriteFile);

/** Temporary files lie in one folder of the store's own tree, so that renaming them into place is atomic. */
export interface TemporaryFiles {
  /**
   * Lets `write` fill a new file and syncs it. The caller renames it away.
   *
   * @throws what `write` throws; the file is then gone
   */
  create(write: (handle: FileHandle) => Promise<void>): Promise<string>;
  /** The same for what is in memory, with less work for this process. */
  createFrom(bytes: Uint8Array): Promise<string>;
}

/** Creates the folder and removes files that no write has touched for `maxAgeMs`: remains of crashes. */
export const openTemporaryFiles = async (
  directory: string,
  maxAgeMs: number,
  now: () => number,
): Promise<TemporaryFiles> => {
  await makeDirectory(directory);
  await removeOlderThan(directory, now() - maxAgeMs);
  return {
    create: async (write) => {
      const path = join(directory, randomUUID());
      const handle = await open(path, 'wx', FILE_MODE);
      try {
        await write(handle);
        await handle.datasync();
        await handle.close();
        return path;
      } catch (error) {
        await handle.close().catch(() => {});
        await rm(path, { force: true });
        throw error;
      }
    },
    createFrom: async (bytes) => {
      const path = join(directory, randomUUID());
      try {
        await writeFile(path, bytes, { flag: 'wx', mode: FILE_MODE, flush: true });
        return path;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
  };
};

const removeOlderThan = async (directory: string, oldest: number): Promise<void> => {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another process may be renaming the file at this moment.
    const info = await stat(path).catch(() => null);
    if (info !== null && info.mtimeMs < oldest) await rm(path, { force: true, recursive: true });
  }
};
