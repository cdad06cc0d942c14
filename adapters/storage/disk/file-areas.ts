import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FileAreas,
  FileStoreUnavailable,
  isSha256,
  type LocalFileStore,
} from '../../../application/ports/file-store.ts';
import { makeDirectory } from './directories.ts';
import { openFileStore } from './file-store.ts';
import { moveFiles } from './moving.ts';
import { createPlaceMark, type PlaceMark } from './mark.ts';
import { createWriteProbe } from './probe.ts';
import { removeIfStale } from './remove-if-stale.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Areas as folders of `directory`, named by data source. Opened at first use and kept open. */
export const createFileAreas = (directory: string, now: () => number = Date.now): FileAreas => {
  const open = new Map<string, Promise<LocalFileStore>>();
  const mark = createPlaceMark(directory);
  const place: Place = { directory, mark, canWrite: createWriteProbe(directory, now) };
  const folderOf = (dataSourceId: string): string => {
    if (!UUID.test(dataSourceId)) throw new Error(`no area is named ${dataSourceId}`);
    return join(directory, dataSourceId);
  };
  return {
    area: (dataSourceId) => {
      const known = open.get(dataSourceId);
      if (known !== undefined) return known;
      const folder = folderOf(dataSourceId);
      const { mustBeThere } = mark;
      const opening = mustBeThere().then(() => openFileStore({ directory: folder, mustBeThere }));
      open.set(dataSourceId, opening);
      // A failed opening is not remembered.
      opening.catch(() => open.delete(dataSourceId));
      return opening;
    },
    remove: async (dataSourceId) => {
      const folder = folderOf(dataSourceId);
      await mark.mustBeThere();
      open.delete(dataSourceId);
      const bytes = (await filesIn(folder)).reduce((sum, { size }) => sum + size, 0);
      await rm(folder, { recursive: true, force: true });
      return bytes;
    },
    sweep: async (dataSourceId, keep, before) => {
      await mark.mustBeThere();
      const unnamed = (name: string): boolean => isSha256(name) && !keep.has(name);
      const files = await filesIn(folderOf(dataSourceId), unnamed);
      const stale = files.filter(({ mtimeMs }) => mtimeMs < before);
      const removed = await Promise.all(stale.map(({ path }) => removeIfStale(path, before)));
      return removed.filter(Boolean).length;
    },
    move: async (from, to) => {
      await mark.mustBeThere();
      const [source, target] = [folderOf(from), folderOf(to)];
      open.delete(from);
      await moveFiles(await filesIn(source, isSha256), target, now());
      await rm(source, { recursive: true, force: true });
    },
    claim: mark.claim,
    check: (signal) => unlessAborted(checkPlace(place), signal),
    close: async () => {},
  };
};

interface Place {
  readonly directory: string;
  readonly mark: PlaceMark;
  readonly canWrite: () => Promise<void>;
}

const checkPlace = async ({ directory, mark, canWrite }: Place): Promise<void> => {
  try {
    if (mark.isClaimed()) await mark.mustBeThere();
    else await makeDirectory(directory);
    await canWrite();
  } catch (error) {
    if (error instanceof FileStoreUnavailable) throw error;
    throw new FileStoreUnavailable('failed', `files cannot be kept: ${(error as Error).message}`);
  }
};

/** A disk that hangs cannot be told to stop, but need not be waited for. */
const unlessAborted = async (checking: Promise<void>, signal?: AbortSignal): Promise<void> => {
  if (signal === undefined) return checking;
  checking.catch(() => undefined);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new FileStoreUnavailable('stopped', 'the disk was not waited for'));
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  try {
    await Promise.race([aborted, checking]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
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
