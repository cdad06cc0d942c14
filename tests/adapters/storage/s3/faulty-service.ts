import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ConnectionOptions, createConnection } from '../../../../adapters/storage/s3/connection.ts';
import { createS3FileAreas } from '../../../../adapters/storage/s3/file-areas.ts';
import { createS3FileStore } from '../../../../adapters/storage/s3/file-store.ts';
import { parseFilesUrl } from '../../../../adapters/storage/s3/files-url.ts';
import { createTemporaryFolders } from '../../../../adapters/storage/s3/writing.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Answer = (asked: Asked, response: ServerResponse, nth: number) => void;

export const SECRET = 'a-secret-access-key';
export const KEY_ID = 'AN-ACCESS-KEY';

/** A service on loopback that answers as the test says, and adapters that believe it to be S3. */
export const openFaultyService = async (answer: Answer) => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://x');
      const seen = { method: request.method ?? '', path, query, headers: request.headers };
      asked.push({ ...seen, body: await buffer(request) });
      answer(asked.at(-1)!, response, asked.length);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), 's3-faults-'));
  const options: ConnectionOptions = {
    address: parseFilesUrl(`s3://files/p?endpoint=${endpoint}&region=us-east-1`),
    credentials: { accessKeyId: KEY_ID, secretAccessKey: SECRET },
    attempts: 2,
    idleMs: 20_000,
  };
  const closing: (() => Promise<void>)[] = [];
  return {
    asked,
    endpoint,
    folder,
    store: (more: Partial<ConnectionOptions> & { readonly maxBytes?: number } = {}) => {
      const { maxBytes, ...rest } = more;
      const connection = createConnection({ ...options, ...rest });
      closing.push(connection.close);
      const folders = createTemporaryFolders(folder);
      const limit = maxBytes === undefined ? {} : { maxBytes };
      return createS3FileStore({ connection, prefix: 'p/', folders, ...limit });
    },
    areas: (more: Partial<ConnectionOptions> = {}) => {
      const areas = createS3FileAreas({ ...options, ...more, temporary: folder });
      closing.push(areas.close);
      return areas;
    },
    close: async () => {
      await Promise.all(closing.map((end) => end()));
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type FaultyService = Awaited<ReturnType<typeof openFaultyService>>;

/** An error as S3 tells it. */
export const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>told ${SECRET} by ${KEY_ID}</Message></Error>`,
  );
};

/** A page of ListObjectsV2. */
export const list = (
  response: ServerResponse,
  objects: readonly { readonly key: string; readonly bytes: number; readonly at?: number }[],
  next?: string,
): void => {
  const contents = objects.map(
    ({ key, bytes, at = 0 }) =>
      `<Contents><Key>${key}</Key><Size>${bytes}</Size><LastModified>${new Date(at).toISOString()}</LastModified></Contents>`,
  );
  const more = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
  );
};
