import { isAbsent, unavailable } from './failure.ts';
import type { Connection } from './connection.ts';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Unix milliseconds, by the clock of the service, which may be truncated to whole seconds. */
  readonly writtenAt: number;
}

/** Maximum number of keys per DeleteObjects request and per page of a list. */
const MAX_KEYS = 1_000;

/**
 * Length of an object in bytes; null if there is no object or no bucket, which a HEAD does not distinguish.
 */
export const lengthOf = async (connection: Connection, Key: string): Promise<number | null> => {
  const { bucket: Bucket } = connection.address;
  const response = await connection
    .raw((s3, options) => s3.headObject({ Bucket, Key }, options))
    .catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw unavailable(connection.address, error);
    });
  return response === null ? null : (response.ContentLength ?? 0);
};

/** @throws FileStoreUnavailable if the bucket does not respond, or denies access */
export const checkBucket = async (connection: Connection, signal?: AbortSignal): Promise<void> => {
  const { bucket: Bucket, prefix: Prefix } = connection.address;
  // A list, although HeadBucket is cheaper: only a response with a body says what is wrong.
  await connection.ask((s3, options) => s3.listObjectsV2({ Bucket, Prefix, MaxKeys: 1 }, options), signal);
};

/** Yields pages of the objects whose keys begin with `prefix`, ordered by key. */
export async function* listObjects(
  { address, ask }: Connection,
  Prefix: string,
): AsyncGenerator<readonly ListedObject[]> {
  for (let token: string | undefined, more = true; more;) {
    const after = token;
    const page = await ask((s3, options) =>
      s3.listObjectsV2(
        {
          Bucket: address.bucket,
          Prefix,
          MaxKeys: MAX_KEYS,
          ...(after !== undefined && { ContinuationToken: after }),
        },
        options,
      ),
    );
    yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
      key: Key,
      bytes: Size,
      writtenAt: LastModified?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
    token = page.NextContinuationToken;
    more = page.IsTruncated === true && token !== undefined;
  }
}

/** @throws FileStoreUnavailable if one of them could not be deleted */
export const deleteObjects = async ({ address, ask }: Connection, keys: readonly string[]): Promise<void> => {
  for (let at = 0; at < keys.length; at += MAX_KEYS) {
    const Objects = keys.slice(at, at + MAX_KEYS).map((Key) => ({ Key }));
    const { Errors = [] } = await ask((s3, options) =>
      s3.deleteObjects({ Bucket: address.bucket, Delete: { Objects, Quiet: true } }, options),
    );
    // The response is 200 even if single keys failed.
    const [refused] = Errors;
    if (refused !== undefined) {
      const $metadata = { httpStatusCode: refused.Code === 'AccessDenied' ? 403 : 500 };
      throw unavailable(address, { name: refused.Code, $metadata });
    }
  }
};

const MAX_COPIES = 16;

/** Copies objects within the bucket, several at a time. Each has at most 5 GiB, the limit of a put. */
export const copyObjects = async (
  { address: { bucket: Bucket }, ask }: Connection,
  keys: readonly string[],
  targetOf: (key: string) => string,
): Promise<void> => {
  const queue = keys.values();
  const work = async (): Promise<void> => {
    for (const key of queue) {
      const CopySource = `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
      await ask((s3, options) => s3.copyObject({ Bucket, Key: targetOf(key), CopySource }, options));
    }
  };
  const results = await Promise.allSettled(Array.from({ length: MAX_COPIES }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
