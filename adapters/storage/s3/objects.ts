import { isAbsent, unavailable } from './failure.ts';
import type { Connection } from './connection.ts';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Unix milliseconds, by the clock of the service, which may be cut to whole seconds. */
  readonly writtenAt: number;
}

/** Most keys of one DeleteObjects, and of one page of a list. */
const AT_ONCE = 1_000;

/** Length in bytes of an object, null where there is none or, since a HEAD does not tell them apart, no bucket. */
export const lengthOf = async (connection: Connection, Key: string): Promise<number | null> => {
  const { bucket: Bucket } = connection.address;
  const answer = await connection
    .raw((s3, options) => s3.headObject({ Bucket, Key }, options))
    .catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw unavailable(connection.address, error);
    });
  return answer === null ? null : (answer.ContentLength ?? 0);
};

/** @throws FileStoreUnavailable where the bucket does not answer, or not to this caller */
export const checkBucket = async (connection: Connection, signal?: AbortSignal): Promise<void> => {
  const { bucket: Bucket, prefix: Prefix } = connection.address;
  // A list, though HeadBucket is cheaper: only an answer with a body says what is wrong.
  await connection.ask((s3, options) => s3.listObjectsV2({ Bucket, Prefix, MaxKeys: 1 }, options), signal);
};

/** Pages of the objects whose keys begin with `prefix`, by key. */
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
          MaxKeys: AT_ONCE,
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

/** @throws FileStoreUnavailable when any of them could not be deleted */
export const deleteObjects = async ({ address, ask }: Connection, keys: readonly string[]): Promise<void> => {
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const Objects = keys.slice(at, at + AT_ONCE).map((Key) => ({ Key }));
    const { Errors = [] } = await ask((s3, options) =>
      s3.deleteObjects({ Bucket: address.bucket, Delete: { Objects, Quiet: true } }, options),
    );
    // The answer is 200 even where single keys were refused.
    const [refused] = Errors;
    if (refused !== undefined) {
      const $metadata = { httpStatusCode: refused.Code === 'AccessDenied' ? 403 : 500 };
      throw unavailable(address, { name: refused.Code, $metadata });
    }
  }
};

const COPIES = 16;

/** Copies within the bucket, several at a time. At most 5 GiB each, which is the most that is ever put. */
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
  const results = await Promise.allSettled(Array.from({ length: COPIES }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
