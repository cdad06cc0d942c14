import { hash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type FaultyService, openFaultyService, refuse } from './faulty-service.ts';

const BYTES = randomBytes(200_000);
const KEY = hash('sha256', BYTES, 'hex');
async function* parts(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < BYTES.length; at += 30_000) yield BYTES.subarray(at, at + 30_000);
}

let service: FaultyService;
const serve = async (answer: Answer) => {
  service = await openFaultyService(answer);
  return service.store();
};
afterEach(() => service.close());

const absent: Answer = ({ method }, response) => {
  response.writeHead(method === 'HEAD' ? 404 : 200).end();
};
const puts = () => service.asked.filter(({ method }) => method === 'PUT');
const PUTS = [
  ['bytes', (store: ReturnType<FaultyService['store']>) => store.put(BYTES)],
  ['a stream', (store: ReturnType<FaultyService['store']>) => store.putStream(parts(), 1e6)],
] as const;

describe('writing to S3', () => {
  it.each(PUTS)('sends %s as they are, with the hash that the service is to verify', async (_, put) => {
    await put(await serve(absent));
    const [sent] = puts();
    expect(sent!.path).toBe(`/files/p/${KEY}`);
    expect(sent!.body.equals(BYTES)).toBe(true);
    expect(sent!.headers).toMatchObject({
      'content-length': `${BYTES.length}`,
      'x-amz-checksum-sha256': Buffer.from(KEY, 'hex').toString('base64'),
    });
    expect(sent!.headers['content-encoding']).toBeUndefined();
  });

  it('sends nothing that is there already', async () => {
    const store = await serve((_, response) => {
      response.writeHead(200, { 'content-length': BYTES.length }).end();
    });
    await store.put(BYTES);
    await store.putStream(parts(), 1e6);
    expect(puts()).toEqual([]);
  });

  it('replaces what has another length', async () => {
    const store = await serve(({ method }, response) => {
      response.writeHead(200, method === 'HEAD' ? { 'content-length': 7 } : {}).end();
    });
    await store.put(BYTES);
    expect(puts()).toHaveLength(1);
  });

  it('shares one request among equal bytes on their way', async () => {
    const store = await serve(absent);
    await Promise.all([store.put(BYTES), store.putMany([BYTES, BYTES]), store.put(BYTES)]);
    expect(puts()).toHaveLength(1);
  });

  it.each(PUTS)('sends %s again, whole, after a failure of the service', async (_, put) => {
    const store = await serve((asked, response, nth) => {
      if (asked.method === 'PUT' && puts().length === 1) refuse(response, 503, 'SlowDown');
      else absent(asked, response, nth);
    });
    expect(await put(store)).toEqual({ sha256: KEY, bytes: BYTES.length });
    expect(puts().map(({ body }) => body.equals(BYTES))).toEqual([true, true]);
    expect(await readdir(service.folder)).toEqual([]);
  });

  it('gives up after as many attempts as it may take, and leaves nothing on this machine', async () => {
    const store = await serve((asked, response, nth) => {
      if (asked.method === 'PUT') refuse(response, 500, 'InternalError');
      else absent(asked, response, nth);
    });
    await expect(store.put(BYTES)).rejects.toMatchObject({ reason: 'overloaded' });
    await expect(store.putStream(parts(), 1e6)).rejects.toMatchObject({ reason: 'overloaded' });
    expect(puts()).toHaveLength(4);
    expect(await readdir(service.folder)).toEqual([]);
  });

  it('does not repeat what is refused for good', async () => {
    const store = await serve((asked, response, nth) => {
      if (asked.method === 'PUT') refuse(response, 400, 'BadDigest');
      else absent(asked, response, nth);
    });
    await expect(store.put(BYTES)).rejects.toMatchObject({ reason: 'failed' });
    await expect(store.putStream(parts(), 1e6)).rejects.toThrow('BadDigest');
    expect(puts()).toHaveLength(2);
  });

  it('is not held up by many slow downloads', async () => {
    const store = await serve(({ method, path }, response) => {
      const length = path.endsWith(KEY) ? 0 : 1_000;
      response.writeHead(200, { 'content-length': method === 'PUT' ? 0 : length });
      if (method === 'GET') response.write('.');
      else response.end();
    });
    const other = hash('sha256', 'slow', 'hex');
    const files = await Promise.all(Array.from({ length: 100 }, () => store.open(other)));
    const downloads = files.map((file) => file!.stream[Symbol.asyncIterator]());
    await Promise.all(downloads.map((download) => download.next()));
    await store.put(BYTES);
    expect(puts()).toHaveLength(1);
    for (const download of downloads) await download.return?.();
  });

  it('refuses what one request cannot put, before it sends anything', async () => {
    service = await openFaultyService(absent);
    const store = service.store({ maxBytes: 199_999 });
    const refused = { name: 'FileTooLarge', maxBytes: 199_999 };
    await expect(store.put(BYTES)).rejects.toMatchObject(refused);
    await expect(store.putStream(parts(), 1e6)).rejects.toMatchObject(refused);
    expect(service.asked).toEqual([]);
    expect(await readdir(service.folder)).toEqual([]);
  });
});
