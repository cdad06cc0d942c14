import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAreas } from '../../application/ports/file-areas.ts';
import { FileStoreUnavailable, isSha256, type LocalFileStore } from '../../application/ports/file-store.ts';
import { makeDirectory } from './directories.ts';
import { openFileStore } from './file-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Areas as folders of `directory`, named by data source. Opened at first use and kept open. */
export const createFileAreas = (directory: string): FileAreas => {
  const open = new Map<string, Promise<LocalFileStore>>();
  const folderOf = (data_source_id: string): string => {
    if (!UUID.test(data_source_id)) throw new Error(`no area is named ${data_source_id}`);
    return join(directory, data_source_id);
  };
  return {
    area: (data_source_id) => {
      const known = open.get(data_source_id);
      if (known !== undefined) return known;
      const opening = openFileStore({ directory: folderOf(data_source_id) });
      open.set(data_source_id, opening);
      // A failed opening is not remembered.
      opening.catch(() => open.delete(data_source_id));
      return opening;
    },
    remove: async (data_source_id) => {
      const folder = folderOf(data_source_id);
      open.delete(data_source_id);
      const bytes = (await filesIn(folder)).reduce((sum, { size }) => sum + size, 0);
      await rm(folder, { recursive: true, force: true });
      return bytes;
    },
    sweep: async (data_source_id, keep, before) => {
      const unnamed = (name: string): boolean => isSha256(name) && !keep.has(name);
      const files = await filesIn(folderOf(data_source_id), unnamed);
      const stale = files.filter(({ mtimeMs }) => mtimeMs < before);
      await Promise.all(stale.map(({ path }) => rm(path, { force: true })));
      return stale.length;
    },
    check: async () => {
      try {
        await makeDirectory(directory);
        await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
      } catch (error) {
        throw new FileStoreUnavailable('failed', `files cannot be kept: ${(error as Error).message}`);
      }
    },
    close: async () => {},
  };
};

const filesIn = async (folder: string, wanted: (name: string) => boolean = () => true) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && wanted(entry.name))
      .map(async ({ name, parentPath }) => {
        const path = join(parentPath, name);
        const file = await stat(path).catch(() => null);
        return file === null ? [] : [{ name, path, size: file.size, mtimeMs: file.mtimeMs }];
      }),
  );
  return found.flat();
};
