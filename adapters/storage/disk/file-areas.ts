import { readdir, rm, stat, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import {
  type FileAreas,
  FileStoreUnavailable,
  isSha256,
  type LocalFileStore,
} from '../../../application/ports/file-store.ts';
import { FILE_MODE, lengthOf, makeDirectory, openFile, readWhole, syncDirectory } from './directories.ts';
import { moveFiles } from './moving.ts';
import { createWriteProbe } from './probe.ts';
import { createWriter, deleteFile, openTemporaryFiles, pathIn } from './writing.ts';

/**
 * Deletes a file that was last written before `before` (Unix milliseconds). Checks the disk again: the file
 * may have been written since it was listed.
 *
 * @returns whether this call deleted the file
 */
export const removeIfStale = async (path: string, before: number): Promise<boolean> => {
  const file = await stat(path).catch(() => null);
  if (file === null || file.mtimeMs >= before) return false;
  await rm(path, { force: true });
  return true;
};

const NAME = '.knowledger';

/** A small file at the storage root that distinguishes an unmounted volume from an empty one. */
interface VolumeMarker {
  /** See the port of file areas. */
  readonly claim: (known: string | null, fresh: string) => Promise<string>;
  /** Whether this process has claimed the storage root. */
  readonly isClaimed: () => boolean;
  /** @throws FileStoreUnavailable `missing` if the root was claimed and no longer has its marker */
  readonly assertAvailable: () => Promise<void>;
}

const createVolumeMarker = (directory: string): VolumeMarker => {
  const path = join(directory, NAME);
  let expected: string | null = null;

  const assertAvailable = async (): Promise<void> => {
    if (expected === null) return;
    const found = await read(path);
    if (found === expected) return;
    throw new FileStoreUnavailable(
      'missing',
      found === ''
        ? `the stored files are missing: there is no ${path}. Is the volume mounted? To continue without those files, ` +
            `create this file with the single line ${expected}`
        : `${directory} contains the files of another service: ${path} should contain ${expected}`,
    );
  };

  return {
    claim: async (known, fresh) => {
      if (known === null && (await read(path)) === '') await writeMarker(directory, path, fresh);
      expected = known ?? (await read(path));
      await assertAvailable();
      return expected;
    },
    isClaimed: () => expected !== null,
    assertAvailable,
  };
};

/** Empty if there is none, or if a crash left an incomplete one. */
const read = async (path: string): Promise<string> => (await readWhole(path))?.toString().trim() ?? '';

const writeMarker = async (directory: string, path: string, marker: string): Promise<void> => {
  await makeDirectory(directory);
  const unfinished = `${path}-${randomUUID()}`;
  await writeFile(unfinished, `${marker}\n`, { flag: 'wx', mode: FILE_MODE, flush: true });
  await rename(unfinished, path);
  await syncDirectory(directory);
};

interface FileStoreOptions {
  /** Created if missing. Any number of processes may use it at once. */
  readonly directory: string;
  /**
   * Temporary files older than this are removed at start; must exceed the duration of any upload. Default: a
   * day.
   */
  readonly temporaryMaxAgeMs?: number;
  readonly now?: () => number;
  /** Called before a file is reported as absent; rejects if the storage root is missing. */
  readonly assertAvailable?: () => Promise<void>;
}

const DAY_MS = 86_400_000;

export interface DiskFileStore extends LocalFileStore {
  /** Absolute path of the file, which may not exist; null if `sha256` is not a hash. Read only. */
  readonly path: (sha256: string) => string | null;
}

/**
 * Files on a local disk, at `<directory>/ab/<sha256>`. Incomplete files are in `<directory>/tmp` and are
 * renamed into place after their bytes are synced.
 */
export const openFileStore = async (options: FileStoreOptions): Promise<DiskFileStore> => {
  const root = resolve(options.directory);
  const maxAgeMs = options.temporaryMaxAgeMs ?? DAY_MS;
  const temporary = await openTemporaryFiles(join(root, 'tmp'), maxAgeMs, options.now ?? Date.now);
  const { putMany, putStream, receive } = createWriter(root, temporary);
  const path = (sha256: string): string | null => (isSha256(sha256) ? pathIn(root, sha256) : null);
  const at = async <Value>(sha256: string, absent: Value, use: (file: string) => Promise<Value>) => {
    const file = path(sha256);
    if (file === null) return absent;
    const found = await use(file);
    if (found === absent) await options.assertAvailable?.();
    return found;
  };
  return {
    path,
    put: async (bytes) => (await putMany([bytes]))[0]!,
    putText: async (text) => (await putMany([Buffer.from(text, 'utf8')]))[0]!,
    putMany,
    putLocally: async (items, use) => {
      const fresh = await putMany(items.filter((item) => item instanceof Uint8Array));
      let next = 0;
      const files = items.map((item) => (item instanceof Uint8Array ? fresh[next++]! : item));
      return use(files.map((file) => ({ ...file, path: pathIn(root, file.sha256) })));
    },
    putStream,
    receive,
    open: (sha256, range) => at(sha256, null, (file) => openFile(file, range)),
    read: (sha256) => at(sha256, null, readWhole),
    has: (sha256) => at(sha256, false, async (file) => (await lengthOf(file)) !== null),
    delete: (sha256) => at(sha256, false, deleteFile),
  };
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Areas as folders of `directory`, named by data source. A folder is opened at first use and stays open. */
export const createFileAreas = (directory: string, now: () => number = Date.now): FileAreas => {
  const open = new Map<string, Promise<LocalFileStore>>();
  const marker = createVolumeMarker(directory);
  const storageRoot: StorageRoot = { directory, marker, canWrite: createWriteProbe(directory, now) };
  const folderOf = (dataSourceId: string): string => {
    if (!UUID.test(dataSourceId)) throw new Error(`no area is named ${dataSourceId}`);
    return join(directory, dataSourceId);
  };
  return {
    area: (dataSourceId) => {
      const known = open.get(dataSourceId);
      if (known !== undefined) return known;
      const folder = folderOf(dataSourceId);
      const { assertAvailable } = marker;
      const opening = assertAvailable().then(() => openFileStore({ directory: folder, assertAvailable }));
      open.set(dataSourceId, opening);
      // Do not cache a failed opening.
      opening.catch(() => open.delete(dataSourceId));
      return opening;
    },
    remove: async (dataSourceId) => {
      const folder = folderOf(dataSourceId);
      await marker.assertAvailable();
      open.delete(dataSourceId);
      const bytes = (await filesIn(folder)).reduce((sum, { size }) => sum + size, 0);
      await rm(folder, { recursive: true, force: true });
      return bytes;
    },
    sweep: async (dataSourceId, keep, before) => {
      await marker.assertAvailable();
      const unnamed = (name: string): boolean => isSha256(name) && !keep.has(name);
      const files = await filesIn(folderOf(dataSourceId), unnamed);
      const stale = files.filter(({ mtimeMs }) => mtimeMs < before);
      const removed = await Promise.all(stale.map(({ path }) => removeIfStale(path, before)));
      return removed.filter(Boolean).length;
    },
    move: async (from, to) => {
      await marker.assertAvailable();
      const [source, target] = [folderOf(from), folderOf(to)];
      open.delete(from);
      await moveFiles(await filesIn(source, isSha256), target, now());
      await rm(source, { recursive: true, force: true });
    },
    claim: marker.claim,
    check: (signal) => unlessAborted(checkRoot(storageRoot), signal),
    close: async () => {},
  };
};

interface StorageRoot {
  readonly directory: string;
  readonly marker: VolumeMarker;
  readonly canWrite: () => Promise<void>;
}

const checkRoot = async ({ directory, marker, canWrite }: StorageRoot): Promise<void> => {
  try {
    if (marker.isClaimed()) await marker.assertAvailable();
    else await makeDirectory(directory);
    await canWrite();
  } catch (error) {
    if (error instanceof FileStoreUnavailable) throw error;
    throw new FileStoreUnavailable('failed', `files cannot be stored: ${(error as Error).message}`);
  }
};

/** A hanging disk operation cannot be cancelled, but the caller can stop waiting for it. */
const unlessAborted = async (checking: Promise<void>, signal?: AbortSignal): Promise<void> => {
  if (signal === undefined) return checking;
  checking.catch(() => undefined);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void =>
    reject(new FileStoreUnavailable('stopped', 'the check of the disk was cancelled'));
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
