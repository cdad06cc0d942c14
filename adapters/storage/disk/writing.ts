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

/** Appends parts to a file, in order. */
interface CoalescingWriter {
  /** Resolves at once while few bytes wait. The part must not change afterwards. @throws an earlier write's error */
  readonly add: (part: Uint8Array) => Promise<void>;
  /** Resolves when everything is written. @throws the error of a write */
  readonly end: () => Promise<void>;
}

/** Buffered bytes per file above which `add` waits. */
const MAX_BUFFERED_BYTES = 512 * 1024;

/**
 * Has at most one write in flight and buffers further parts for the next one: the producer does not wait for
 * each part, and one system call writes many.
 */
export const coalescingWriter = (handle: Pick<FileHandle, 'writev' | 'writeFile'>): CoalescingWriter => {
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> | null = null;
  const writeOn = async (): Promise<void> => {
    while (buffered.length > 0) {
      const [parts, size] = [buffered, bytes];
      [buffered, bytes] = [[], 0];
      const { bytesWritten } = await handle.writev(parts);
      // The system may write only a part; the next call reports the reason.
      if (bytesWritten < size) await handle.writeFile(Buffer.concat(parts).subarray(bytesWritten));
    }
    writing = null;
  };
  return {
    add: async (part) => {
      buffered.push(part);
      bytes += part.byteLength;
      writing ??= writeOn();
      // The next `add`, or `end`, reports the error.
      writing.catch(() => undefined);
      if (bytes > MAX_BUFFERED_BYTES) await writing;
    },
    end: async () => {
      await writing;
    },
  };
};

// fsync waits for the disk, and concurrent calls share its flushes; libuv runs four at a time by default.
const WIDTH = 16;

type Writer = Pick<LocalFileStore, 'putMany' | 'putStream' | 'receive'>;

/** Writes files into the tree `<root>/ab/<sha256>`. */
export const createWriter = (root: string, temporary: TemporaryFiles): Writer => {
  const tree = createDirectoryTree(root, WIDTH);
  return {
    putMany: shareConcurrentPuts(async (batch) => {
      await inParallel(batch, WIDTH, async ([sha256, bytes]) => {
        const target = pathIn(root, sha256);
        // A file of the right length is complete: it got its name after its bytes were durable.
        if ((await lengthOf(target)) === bytes.length) return;
        await moveIntoPlace(await temporary.createFrom(bytes), target, tree);
      });
      // Also for files that already existed: another process may have renamed them without having synced the
      // entry yet.
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
      await moveIntoPlace(file, target, tree);
      unsettled.add(dirname(target));
      return stored;
    },
    settle: () => tree.settle(unsettled),
  };
};

/** 256 folders: few enough to sync once a batch, enough for the files of one data source. */
export const pathIn = (root: string, sha256: string): string => join(root, sha256.slice(0, 2), sha256);

/** Returns whether there was a file; its removal is then durable. */
export const deleteFile = async (file: string): Promise<boolean> => {
  const found = await unlink(file).then(() => true, nullIfAbsent);
  if (found === null) return false;
  await syncDirectory(dirname(file));
  return true;
};

type Batch = ReadonlyMap<string, Uint8Array>;

/**
 * Concurrent puts of equal bytes share one write: the second must not resolve before the first is durable.
 */
const shareConcurrentPuts = (write: (batch: Batch) => Promise<void>): FileStore['putMany'] => {
  const inFlight = new Map<string, Promise<void>>();
  return async (items) => {
    const stored = items.map((bytes) => ({ sha256: hash('sha256', bytes, 'hex'), bytes: bytes.length }));
    const waits = new Set<Promise<void>>();
    const batch = new Map<string, Uint8Array>();
    for (const [index, { sha256 }] of stored.entries()) {
      const pending = inFlight.get(sha256);
      if (pending === undefined) batch.set(sha256, items[index]!);
      else waits.add(pending);
    }
    const writing = write(batch).finally(() => {
      for (const sha256 of batch.keys()) inFlight.delete(sha256);
    });
    for (const sha256 of batch.keys()) inFlight.set(sha256, writing);
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
    const writer = coalescingWriter(handle);
    try {
      for await (const part of source) {
        bytes += part.length;
        if (bytes > maxBytes) throw new FileTooLarge(maxBytes);
        digest.update(part);
        await writer.add(part);
      }
    } finally {
      // Before the file is closed, even if its source failed.
      await writer.end();
    }
  });
  return { file, sha256: digest.digest('hex'), bytes };
};

/** Renames a synced file to its final name; replaces a damaged file of that name. */
const moveIntoPlace = async (file: string, target: string, tree: DirectoryTree): Promise<void> => {
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

/**
 * The callback version: a crawl writes thousands of small files, and the promise version costs an extra
 * object for each.
 */
const writeFile = promisify(callbackWriteFile);

/** Temporary files are in one folder of the store's own tree, so that renaming them into place is atomic. */
export interface TemporaryFiles {
  /**
   * Calls `write` with a new file and syncs it. The caller renames the file.
   *
   * @throws what `write` throws; the file is then deleted
   */
  create(write: (handle: FileHandle) => Promise<void>): Promise<string>;
  /** Like `create`, but from memory and with less work for this process. */
  createFrom(bytes: Uint8Array): Promise<string>;
}

/** Creates the folder and removes files that were not written for `maxAgeMs`: leftovers of crashes. */
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
    // Another process may be renaming the file.
    const info = await stat(path).catch(() => null);
    if (info !== null && info.mtimeMs < oldest) await rm(path, { force: true, recursive: true });
  }
};
