import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isSha256,
  resolveRange,
  type LocalFileStore,
  type StoredFile,
} from '../../../application/ports/file-store.ts';
import type { Connection } from './connection.ts';
import { ObjectGone } from './failure.ts';
import { checkBucket, lengthOf } from './objects.ts';
import { readPart } from './reading.ts';
import type { TemporaryFolders } from './temporary-folder.ts';
import { createWriter, MOST_BYTES } from './writing.ts';

export interface S3FileStoreOptions {
  readonly connection: Connection;
  /** What every key begins with. The hash follows. */
  readonly prefix: string;
  readonly folders: TemporaryFolders;
  /** Larger files are refused with FileTooLarge. Default and most: 5 GiB, which one request can put. */
  readonly mostBytes?: number;
}

/** Files as objects of a bucket of S3, or of a service that speaks its protocol. */
export const createS3FileStore = (options: S3FileStoreOptions): LocalFileStore => {
  const { connection, prefix, folders } = options;
  const { putMany, putStream } = createWriter(connection, prefix, folders, options.mostBytes ?? MOST_BYTES);
  /** Length of a file, or null where the bucket is there and the file is not. */
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
      folders.within(async (folder) => {
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
