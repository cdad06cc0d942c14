import crypto from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** The credentials that s3rver knows. It does not verify signatures. */
export const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** The value of FILES_URL. */
  readonly url: (prefix?: string) => string;
  /** Keys of all objects. */
  readonly keys: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: NodeJS.ReadableStream;
  readonly metadata: unknown;
}

interface Store {
  putObject: (object: StoredObject) => Promise<{ size: number; md5: string }>;
  deleteObject: (bucket: string, key: string) => Promise<void>;
  putMetadata: (bucket: string, key: string, metadata: unknown, md5: string) => Promise<void>;
  getResourcePath: (bucket: string, key: string, resource: string) => string;
  listObjects: (bucket: string, options: object) => Promise<{ objects: readonly { key: string }[] }>;
}

interface Server {
  readonly store: Store;
  readonly httpServer: { closeAllConnections(): void };
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** s3rver in this process with one empty bucket, made to keep what S3 promises and it does not. */
export const openS3Server = async (bucket = 'files'): Promise<S3Server> => {
  const directory = await mkdtemp(join(tmpdir(), 's3rver-'));
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Server;
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  keepPromises(server.store, directory);
  const restore = allowDes();
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    bucket,
    url: (prefix = '') => `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=us-east-1`,
    keys: async () => (await server.store.listObjects(bucket, {})).objects.map(({ key }) => key),
    close: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      restore();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/**
 * S3 shows a key with its whole body or not at all, and at once; s3rver writes in place and answers before the bytes
 * are there. S3 deletes many keys at once; s3rver fails where two deletions empty one folder.
 */
const keepPromises = (store: Store, directory: string): void => {
  let count = 0;
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = await buffer(content);
    const md5 = crypto.createHash('md5').update(bytes).digest('hex');
    const target = store.getResourcePath(bucket, key, 'object');
    const temporary = join(directory, `temporary-${count++}`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(temporary, bytes);
    await store.putMetadata(bucket, key, metadata, md5);
    await rename(temporary, target);
    return { size: bytes.length, md5 };
  };
  store.deleteObject = async (bucket, key) => {
    for (const part of ['object', 'object.md5', 'metadata.json']) {
      await unlink(store.getResourcePath(bucket, key, part)).catch(() => {});
    }
    await rmdir(dirname(store.getResourcePath(bucket, key, 'object'))).catch(() => {});
  };
};

/** s3rver makes the token of the next page with DES, which OpenSSL 3 has only as triple DES: the same with equal keys. */
const allowDes = (): (() => void) => {
  const { createCipheriv, createDecipheriv } = crypto;
  const triple = (key: unknown) => Buffer.concat(Array.from({ length: 3 }, () => key as Buffer));
  const replace =
    (make: (...args: never[]) => unknown) =>
    (algorithm: string, key: unknown, ...rest: unknown[]) =>
      algorithm === 'des'
        ? make(...(['des-ede3-cbc', triple(key), ...rest] as never[]))
        : make(...([algorithm, key, ...rest] as never[]));
  Object.assign(crypto, {
    createCipheriv: replace(createCipheriv),
    createDecipheriv: replace(createDecipheriv),
  });
  return () => Object.assign(crypto, { createCipheriv, createDecipheriv });
};
