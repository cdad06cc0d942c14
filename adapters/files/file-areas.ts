import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAreas } from '../../application/ports/file-areas.ts';
import type { LocalFileStore } from '../../application/ports/file-store.ts';
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
      const bytes = await sizeOf(folder);
      await rm(folder, { recursive: true, force: true });
      return bytes;
    },
  };
};

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};
