import { type FileAreas, FileStoreUnavailable, isSha256 } from '../../../application/ports/file-store.ts';
import { type Connection, type ConnectionOptions, createConnection, forCallers } from './connection.ts';
import { createS3FileStore } from './file-store.ts';
import { checkBucket, copyObjects, deleteObjects, listObjects } from './objects.ts';
import { createTemporaryFolders } from './writing.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * The service's clock may differ from ours by as much as a signature allows (AWS Signature Version 4: 15
 * minutes).
 */
const SKEW_MS = 15 * 60_000;
const MAX_ROUNDS = 10;

export interface S3FileAreasOptions extends ConnectionOptions {
  /** A folder on this machine for files in transit; created if missing, and used by this service only. */
  readonly temporary: string;
}

/** Areas as prefixes of a bucket: the key of a file is `<prefix><data source>/<sha256>`. */
export const createS3FileAreas = (options: S3FileAreasOptions): FileAreas => {
  const connection = createConnection(options);
  const callerConnection = forCallers(connection, options.callerMs);
  const folders = createTemporaryFolders(options.temporary);
  const prefixOf = (dataSourceId: string): string => {
    if (!UUID.test(dataSourceId)) throw new Error(`no area is named ${dataSourceId}`);
    return `${options.address.prefix}${dataSourceId}/`;
  };
  return {
    area: (dataSourceId, patience) => {
      const prefix = prefixOf(dataSourceId);
      const chosen = patience === 'caller' ? callerConnection : connection;
      return Promise.resolve(createS3FileStore({ connection: chosen, prefix, folders }));
    },
    remove: async (dataSourceId) => {
      const prefix = prefixOf(dataSourceId);
      let bytes = 0;
      // Repeat from the beginning until nothing is left: a put that was still running may have come in
      // between.
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const removed = await removeAll(connection, prefix);
        bytes += removed.bytes;
        if (removed.objects === 0) return bytes;
      }
      throw new FileStoreUnavailable('failed', `files of ${dataSourceId} remain after their deletion`);
    },
    sweep: async (dataSourceId, keep, before) => {
      const prefix = prefixOf(dataSourceId);
      let swept = 0;
      for await (const page of listObjects(connection, prefix)) {
        const stale = page.filter(({ key, writtenAt }) => {
          const name = key.slice(prefix.length);
          return isSha256(name) && !keep.has(name) && writtenAt < before - SKEW_MS;
        });
        await deleteObjects(
          connection,
          stale.map(({ key }) => key),
        );
        swept += stale.length;
      }
      return swept;
    },
    move: async (from, to) => {
      const [source, target] = [prefixOf(from), prefixOf(to)];
      for await (const page of listObjects(connection, source)) {
        const keys = page.map(({ key }) => key);
        await copyObjects(
          connection,
          keys.filter((key) => isSha256(key.slice(source.length))),
          (key) => `${target}${key.slice(source.length)}`,
        );
        await deleteObjects(connection, keys);
      }
    },
    // Requests to a missing bucket fail with an error, so it needs no marker.
    claim: async () => null,
    check: (signal) => checkBucket(connection, signal),
    close: connection.close,
  };
};

const removeAll = async (connection: Connection, prefix: string) => {
  let [objects, bytes] = [0, 0];
  for await (const page of listObjects(connection, prefix)) {
    await deleteObjects(
      connection,
      page.map(({ key }) => key),
    );
    objects += page.length;
    bytes += page.reduce((sum, object) => sum + object.bytes, 0);
  }
  return { objects, bytes };
};
