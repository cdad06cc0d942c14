import { join, resolve } from 'node:path';
import { isSha256, type LocalFileStore } from '../../../application/ports/file-store.ts';
import { lengthOf, openFile, readWhole } from './reading.ts';
import { openTemporaryFiles } from './temporary-files.ts';
import { createWriter, deleteFile, pathIn } from './writing.ts';

export interface FileStoreOptions {
  /** Created where it is missing. Any number of processes may use it at once. */
  readonly directory: string;
  /** Temporary files older than this are removed at start. Longer than any upload lasts. Default: a day. */
  readonly temporaryMaxAgeMs?: number;
  readonly now?: () => number;
  /** Asked before a file is said to be absent: rejects where the place of the store is lost. */
  readonly mustBeThere?: () => Promise<void>;
}

const DAY_MS = 86_400_000;

export interface DiskFileStore extends LocalFileStore {
  /** Absolute path of the file, which may not exist; null for a string that is no hash. To be read only. */
  readonly path: (sha256: string) => string | null;
}

/**
 * Files on a local disk, at `<directory>/ab/<sha256>`; unfinished ones lie in `<directory>/tmp` and are renamed
 * into place when their bytes are synced.
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
    if (found === absent) await options.mustBeThere?.();
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
