import { type FileStore, FileTooLarge, type StoredFile } from '../../../application/ports/file-store.ts';
import type { Connection } from './connection.ts';
import { isTransient, unavailable } from './failure.ts';
import { lengthOf } from './objects.ts';
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const WIDTH = 16;
const PAUSE_MS = 100;
/** Maximum size of one PutObject: 5 GiB. */
export const MAX_BYTES = 5 * 1024 ** 3;

type Writer = Pick<FileStore, 'putMany' | 'putStream'>;

/**
 * Writes objects under `prefix` and their hash. A PutObject is atomic: readers see the whole body or the old
 * state.
 */
export const createWriter = (
  connection: Connection,
  prefix: string,
  folders: TemporaryFolders,
  limitBytes: number,
): Writer => {
  const inFlight = new Map<string, Promise<void>>();
  /** Concurrent puts of equal bytes share one request. */
  const shareInFlight = (sha256: string, put: () => Promise<void>): Promise<void> => {
    const known = inFlight.get(sha256);
    if (known !== undefined) return known;
    const putting = put().finally(() => inFlight.delete(sha256));
    inFlight.set(sha256, putting);
    return putting;
  };
  const putIfMissing = (file: StoredFile, body: () => Uint8Array | Readable): Promise<void> =>
    shareInFlight(file.sha256, async () => {
      const key = `${prefix}${file.sha256}`;
      if ((await lengthOf(connection, key)) !== file.bytes) await putObject(connection, key, file, body);
    });
  return {
    putMany: async (items) => {
      const stored = items.map((bytes) => storedAs(bytes, limitBytes));
      const queue = stored.entries();
      const work = async (): Promise<void> => {
        for (const [index, file] of queue) await putIfMissing(file, () => items[index]!);
      };
      const results = await Promise.allSettled(Array.from({ length: WIDTH }, work));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return stored;
    },
    putStream: (source, maxBytes) =>
      // The key is the hash, which is known only at the end: the stream is first written to this machine's
      // disk.
      folders.withFolder(async (folder) => {
        const path = join(folder, 'received');
        const file = await receive(path, source, Math.min(maxBytes, limitBytes));
        await putIfMissing(file, () => createReadStream(path));
        return file;
      }),
  };
};

const storedAs = (bytes: Uint8Array, limitBytes: number): StoredFile => {
  if (bytes.length > limitBytes) throw new FileTooLarge(limitBytes);
  return { sha256: hash('sha256', bytes, 'hex'), bytes: bytes.length };
};

/**
 * Unconditional: every writer of this key puts the same bytes. The service rejects a body with another hash.
 * The SDK does not repeat a request whose body is a stream, so this function does, with a new stream each
 * time.
 */
const putObject = async (
  connection: Connection,
  Key: string,
  { sha256, bytes }: StoredFile,
  body: () => Uint8Array | Readable,
): Promise<void> => {
  const { address, attempts } = connection;
  const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
  for (let attempt = 1; ; attempt++) {
    const Body = body();
    const streams = !(Body instanceof Uint8Array);
    try {
      await connection.raw((s3, options) =>
        s3.putObject({ Bucket: address.bucket, Key, Body, ContentLength: bytes, ChecksumSHA256 }, options),
      );
      return;
    } catch (error) {
      if (!streams || attempt >= attempts || !isTransient(error)) throw unavailable(address, error);
    } finally {
      if (streams) Body.destroy();
    }
    await wait(PAUSE_MS * 2 ** (attempt - 1));
  }
};

const receive = async (
  path: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredFile> => {
  const digest = createHash('sha256');
  let bytes = 0;
  await using file = await open(path, 'wx', 0o600);
  for await (const part of source) {
    bytes += part.length;
    if (bytes > maxBytes) throw new FileTooLarge(maxBytes);
    digest.update(part);
    await file.writeFile(part);
  }
  return { sha256: digest.digest('hex'), bytes };
};

const DAY_MS = 86_400_000;

/** Folders on this machine for the duration of one task. */
export interface TemporaryFolders {
  /**
   * Passes an empty folder to `use` and deletes it afterwards.
   *
   * @throws what `use` throws
   */
  readonly withFolder: <Result>(use: (folder: string) => Promise<Result>) => Promise<Result>;
}

/**
 * Folders under `directory`. The first call deletes folders of processes that crashed more than a day ago.
 */
export const createTemporaryFolders = (directory: string, now: () => number = Date.now): TemporaryFolders => {
  let ready: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      // Another process may be deleting it.
      const info = await stat(path).catch(() => null);
      if (info !== null && info.mtimeMs < now() - DAY_MS) await rm(path, { recursive: true, force: true });
    }
  };
  return {
    withFolder: async (use) => {
      await (ready ??= prepare());
      const folder = await mkdtemp(join(directory, 'files-'));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
};
