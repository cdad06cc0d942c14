import {
  type FileStore,
  FileTooLarge,
  type LocalFileStore,
  type Receiving,
  type StoredFile,
} from '../../../application/ports/file-store.ts';
import {
  type DirectoryTree,
  FILE_MODE,
  createDirectoryTree,
  inParallel,
  isAbsent,
  lengthOf,
  makeDirectory,
  nullIfAbsent,
  syncDirectory,
} from './directories.ts';
import { createHash, hash, randomUUID } from 'node:crypto';
import { writeFile as callbackWriteFile } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Writes what it is given to the end of a file, in order. */
interface GatheringWriter {
  /** Resolves at once while few bytes wait. The part must not be changed afterwards. @throws what a write has thrown */
  readonly add: (part: Uint8Array) => Promise<void>;
  /** Resolves when all is written. @throws what a write has thrown */
  readonly end: () => Promise<void>;
}

/** In memory for one file: while so many wait, no more are taken. */
const MAX_WAITING_BYTES = 512 * 1024;

/**
 * Has one write under way at most, and gathers what comes meanwhile for the next: whoever brings the bytes does not wait for
 * each, and the system is called once for many.
 */
export const gatheringWriter = (handle: Pick<FileHandle, 'writev' | 'writeFile'>): GatheringWriter => {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> | null = null;
  const writeOn = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [parts, size] = [waiting, bytes];
      [waiting, bytes] = [[], 0];
      const { bytesWritten } = await handle.writev(parts);
      // A system may take a part only, and says why at the next call.
      if (bytesWritten < size) await handle.writeFile(Buffer.concat(parts).subarray(bytesWritten));
    }
    writing = null;
  };
  return {
    add: async (part) => {
      waiting.push(part);
      bytes += part.byteLength;
      writing ??= writeOn();
      // It is looked at by the next call, or at the end.
      writing.catch(() => undefined);
      if (bytes > MAX_WAITING_BYTES) await writing;
    },
    end: async () => {
      await writing;
    },
  };
};

// fsync waits for the disk, and concurrent ones share its flushes; libuv runs four at a time unless told otherwise.
const WIDTH = 16;

type Writer = Pick<LocalFileStore, 'putMany' | 'putStream' | 'receive'>;

/** Writes files into the tree `<root>/ab/<sha256>`. */
export const createWriter = (root: string, temporary: TemporaryFiles): Writer => {
  const tree = createDirectoryTree(root, WIDTH);
  return {
    putMany: sharingEqualBytes(async (batch) => {
      await inParallel(batch, WIDTH, async ([sha256, bytes]) => {
        const target = pathIn(root, sha256);
        // A file of the right length is complete: it got its name when its bytes were durable.
        if ((await lengthOf(target)) === bytes.length) return;
        await place(await temporary.createFrom(bytes), target, tree);
      });
      // Of files found there too: another process may have renamed them without having synced the entry yet.
      await tree.settle(new Set(Array.from(batch.keys(), (sha256) => dirname(pathIn(root, sha256)))));
    }),
    putStream: async (source, maxBytes) => {
      const receiving = receivingInto(root, temporary, tree);
      const stored = await receiving.put(source, maxBytes);
      await receiving.settle();
      return stored;
    },
    receive: () => receivingInto(root, temporary, tree),
  };
};

const receivingInto = (root: string, temporary: TemporaryFiles, tree: DirectoryTree): Receiving => {
  const unsettled = new Set<string>();
  return {
    put: async (source, maxBytes) => {
      const { file, ...stored } = await receive(temporary, source, maxBytes);
      const target = pathIn(root, stored.sha256);
      await place(file, target, tree);
      unsettled.add(dirname(target));
      return stored;
    },
    settle: () => tree.settle(unsettled),
  };
};

/** 256 folders: few enough to sync once a batch, enough for the files of one data source. */
export const pathIn = (root: string, sha256: string): string => join(root, sha256.slice(0, 2), sha256);

/** Whether there was a file; its removal is then durable. */
export const deleteFile = async (file: string): Promise<boolean> => {
  const found = await unlink(file).then(() => true, nullIfAbsent);
  if (found === null) return false;
  await syncDirectory(dirname(file));
  return true;
};

type Batch = ReadonlyMap<string, Uint8Array>;

/** Equal bytes on their way share one write: the second must not answer before the first is durable. */
const sharingEqualBytes = (write: (batch: Batch) => Promise<void>): FileStore['putMany'] => {
  const underWay = new Map<string, Promise<void>>();
  return async (items) => {
    const stored = items.map((bytes) => ({ sha256: hash('sha256', bytes, 'hex'), bytes: bytes.length }));
    const waits = new Set<Promise<void>>();
    const batch = new Map<string, Uint8Array>();
    for (const [index, { sha256 }] of stored.entries()) {
      const other = underWay.get(sha256);
      if (other === undefined) batch.set(sha256, items[index]!);
      else waits.add(other);
    }
    const writing = write(batch).finally(() => {
      for (const sha256 of batch.keys()) underWay.delete(sha256);
    });
    for (const sha256 of batch.keys()) underWay.set(sha256, writing);
    await Promise.all([writing, ...waits]);
    return stored;
  };
};

const receive = async (
  temporary: TemporaryFiles,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredFile & { readonly file: string }> => {
  const digest = createHash('sha256');
  let bytes = 0;
  const file = await temporary.create(async (handle) => {
    const writer = gatheringWriter(handle);
    try {
      for await (const part of source) {
        bytes += part.length;
        if (bytes > maxBytes) throw new FileTooLarge(maxBytes);
        digest.update(part);
        await writer.add(part);
      }
    } finally {
      // Before the file is closed, whatever became of its source.
      await writer.end();
    }
  });
  return { file, sha256: digest.digest('hex'), bytes };
};

/** Gives a synced file its name, in place of a damaged one where there is one. */
const place = async (file: string, target: string, tree: DirectoryTree): Promise<void> => {
  try {
    await rename(file, target).catch(async (error: unknown) => {
      if (!isAbsent(error)) throw error;
      await tree.create(dirname(target));
      await rename(file, target);
    });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
};

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
