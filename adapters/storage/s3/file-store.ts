import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  isSha256,
  resolveRange,
  type LocalFileStore,
  type StoredFile,
  FileDamaged,
} from '../../../application/ports/file-store.ts';
import type { Connection } from './connection.ts';
import { ObjectGone, isAbsent, isTransient, unavailable } from './failure.ts';
import { checkBucket, lengthOf } from './objects.ts';
import { MAX_BYTES, type TemporaryFolders, createWriter } from './writing.ts';

const PAUSE_MS = 100;

/** Part of an object: `bytes` is the length of the whole, `end` is inclusive. */
interface Part {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the bytes of a part. If the connection breaks, continues from the same offset: the bytes under a
 * hash do not change. Verifies a whole file against its hash.
 *
 * @throws FileDamaged at the end, ObjectGone, FileStoreUnavailable
 */
async function* readPart(connection: Connection, part: Part): AsyncGenerator<Uint8Array> {
  const whole = part.start === 0 && part.end === part.bytes - 1;
  const digest = createHash('sha256');
  let at = part.start;
  for (let attempt = 1; at <= part.end; attempt++) {
    try {
      for await (const chunk of bytesFrom(connection, part, at)) {
        at += chunk.length;
        if (whole) digest.update(chunk);
        yield chunk;
      }
      if (at <= part.end) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    } catch (error) {
      if (attempt >= connection.attempts || !isTransient(error)) throw unavailable(connection.address, error);
      await wait(PAUSE_MS * 2 ** (attempt - 1));
    }
  }
  if (whole && digest.digest('hex') !== part.sha256) throw new FileDamaged(part.sha256);
}

/** Yields one response, from offset `at`. Cuts a response of a service that sends more than was requested. */
async function* bytesFrom(connection: Connection, part: Part, at: number): AsyncGenerator<Uint8Array> {
  const { key: Key, bytes, end } = part;
  const whole = at === 0 && end === bytes - 1;
  const Range = whole ? {} : { Range: `bytes=${at}-${end}` };
  const { bucket: Bucket } = connection.address;
  const response = await connection
    .raw((s3, options) => s3.getObject({ Bucket, Key, ...Range }, options))
    .catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectGone('the file was deleted') : unavailable(connection.address, error);
    });
  const body = response.Body as (AsyncIterable<Uint8Array> & { destroy(): void }) | undefined;
  if (body === undefined) return;
  try {
    const [, first, length] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.ContentRange ?? '') ?? [];
    // Without Content-Range the response is the whole object (RFC 9110 section 14.2).
    const from = Number(first ?? 0);
    if (from > at || Number(length ?? response.ContentLength ?? bytes) !== bytes) {
      throw new FileDamaged(part.sha256);
    }
    yield* between(body, at - from, end - from + 1);
  } finally {
    body.destroy();
  }
}

async function* between(
  chunks: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
    position += chunk.length;
    if (wanted.length > 0) yield wanted;
    if (position >= end) return;
  }
}

export interface S3FileStoreOptions {
  readonly connection: Connection;
  /** Prefix of every key; the hash follows. */
  readonly prefix: string;
  readonly folders: TemporaryFolders;
  /**
   * Larger files are rejected with FileTooLarge. Default and maximum: 5 GiB, the limit of one put request.
   */
  readonly maxBytes?: number;
}

/** Files as objects of a bucket of S3 or a compatible service. */
export const createS3FileStore = (options: S3FileStoreOptions): LocalFileStore => {
  const { connection, prefix, folders } = options;
  const { putMany, putStream } = createWriter(connection, prefix, folders, options.maxBytes ?? MAX_BYTES);
  /** Length of a file; null if the bucket exists and the file does not. */
  const find = async (sha256: string): Promise<number | null> => {
    if (!isSha256(sha256)) return null;
    const bytes = await lengthOf(connection, `${prefix}${sha256}`);
    if (bytes === null) await checkBucket(connection);
    return bytes;
  };
  const open: LocalFileStore['open'] = async (sha256, range) => {
    const bytes = await find(sha256);
    if (bytes === null) return null;
    const { start, end } = resolveRange(bytes, range);
    const part = { key: `${prefix}${sha256}`, sha256, bytes, start, end };
    return { bytes, start, end, stream: readPart(connection, part) };
  };
  return {
    put: async (bytes) => (await putMany([bytes]))[0]!,
    putText: async (text) => (await putMany([Buffer.from(text, 'utf8')]))[0]!,
    putMany,
    putStream,
    receive: () => ({ put: putStream, settle: async () => {} }),
    putLocally: (items, use) =>
      folders.withFolder(async (folder) => {
        const [fresh] = await Promise.all([
          putMany(items.filter((item) => item instanceof Uint8Array)),
          writeAll(folder, items, open),
        ]);
        let next = 0;
        const files = items.map((item) => (item instanceof Uint8Array ? fresh[next++]! : item));
        return use(files.map((file, index) => ({ ...file, path: join(folder, `${index}`) })));
      }),
    open,
    read: async (sha256) => {
      const file = await open(sha256);
      return file === null ? null : collect(file.stream).catch(nullIfGone);
    },
    has: async (sha256) => (await find(sha256)) !== null,
    delete: async (sha256) => {
      if ((await find(sha256)) === null) return false;
      const { bucket: Bucket } = connection.address;
      await connection.ask((s3, more) => s3.deleteObject({ Bucket, Key: `${prefix}${sha256}` }, more));
      return true;
    },
  };
};

const writeAll = async (
  folder: string,
  items: readonly (Uint8Array | StoredFile)[],
  open: LocalFileStore['open'],
): Promise<void> => {
  await Promise.all(
    items.map(async (item, index) => {
      const bytes = item instanceof Uint8Array ? item : (await open(item.sha256))?.stream;
      if (bytes !== undefined) await writeFile(join(folder, `${index}`), bytes, { mode: 0o600 });
    }),
  );
};

const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

const nullIfGone = (error: unknown): null => {
  if (error instanceof ObjectGone) return null;
  throw error;
};
