import { type ByteRange, type OpenFile, resolveRange } from '../../../application/ports/file-store.ts';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Stored content belongs to one tenant: only our own user may read it. Existing folders keep their mode. */
const DIRECTORY_MODE = 0o700;
export const FILE_MODE = 0o600;

/**
 * Creates a folder and its missing parents. Does not use Node's recursive `mkdir`, which never ends if an
 * existing folder reports ENOENT for a new entry, as /proc does.
 *
 * @param mode mode of every created folder
 */
export const makeDirectory = async (directory: string, mode = DIRECTORY_MODE): Promise<void> => {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(directory)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory), mode);
    await mkdir(directory, { mode }).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
};

/**
 * Makes the entries of a directory durable: a renamed or deleted file is durable only after its directory was
 * synced (fsync(2)). Windows cannot open directories and journals their entries itself.
 */
export const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Remembers which directories under `root` have durable entries, so that only new ones need a sync. */
export interface DirectoryTree {
  create(directory: string): Promise<void>;
  /** Makes files that were just renamed into these directories durable, including the parent directories. */
  settle(directories: ReadonlySet<string>): Promise<void>;
}

export const createDirectoryTree = (root: string, width: number): DirectoryTree => {
  const settled = new Set<string>([root]);
  return {
    create: makeDirectory,
    settle: async (directories) => {
      const changed = new Set(directories);
      for (const directory of directories) {
        for (let at = directory; !settled.has(at); at = dirname(at)) changed.add(dirname(at));
      }
      await inParallel(changed, width, syncDirectory);
      for (const directory of changed) settled.add(directory);
    },
  };
};

/**
 * Runs `task` for each item, at most `width` at a time. Waits for all started tasks, then throws the first
 * failure.
 */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  width: number,
  task: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = [...items];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < queue.length) {
      await task(queue[next++]!).catch((error: unknown) => {
        next = queue.length;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: width }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** Length of a file in bytes; null if there is none. */
export const lengthOf = async (file: string): Promise<number | null> => {
  const info = await stat(file, { throwIfNoEntry: false }).catch(nullIfAbsent);
  return info?.isFile() === true ? info.size : null;
};

export const readWhole = (file: string): Promise<Buffer | null> => readFile(file).catch(nullIfAbsent);

/** Opens the file when the stream is first read, so that an unread stream leaks no descriptor. */
export const openFile = async (file: string, range: ByteRange | undefined): Promise<OpenFile | null> => {
  const bytes = await lengthOf(file);
  if (bytes === null) return null;
  const { start, end } = resolveRange(bytes, range);
  return { bytes, start, end, stream: slice(file, start, end) };
};

async function* slice(file: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (end >= start) yield* createReadStream(file, { start, end }) as AsyncIterable<Buffer>;
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

export const nullIfAbsent = (error: unknown): null => {
  if (isAbsent(error)) return null;
  throw error;
};
