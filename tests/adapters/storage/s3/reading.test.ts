import { hash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenFile } from '../../../../application/ports/file-store.ts';
import { type Answer, type FaultyService, openFaultyService, refuse } from './faulty-service.ts';

const BYTES = randomBytes(100_000);
const KEY = hash('sha256', BYTES, 'hex');

let service: FaultyService;
const serve = async (answer: Answer) => {
  service = await openFaultyService(answer);
  return service.store();
};
afterEach(() => service.close());

const collect = async (file: OpenFile | null): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(file!.stream));

/** What S3 answers to HEAD and GET, from `bytes`, as long as `length` says, and cut after `cut` bytes. */
const give = (
  { method, headers }: Parameters<Answer>[0],
  response: ServerResponse,
  { bytes = BYTES, cut = Infinity, length = BYTES.length, ranges = true } = {},
): void => {
  if (method === 'HEAD') {
    response.writeHead(200, { 'content-length': length }).end();
    return;
  }
  const [, first, last] = (ranges && /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')) || [];
  const from = Number(first ?? 0);
  const to = Number(last ?? bytes.length - 1);
  const range = first === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${bytes.length}` };
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': to - from + 1, ...range });
  const part = bytes.subarray(from, to + 1);
  if (part.length <= cut) response.end(part);
  else response.write(part.subarray(0, cut), () => response.destroy());
};

describe('reading from S3', () => {
  it('takes a connection that broke up again where it broke', async () => {
    const store = await serve((asked, response, nth) =>
      give(asked, response, nth === 2 ? { cut: 40_000 } : {}),
    );
    expect(await store.read(KEY)).toEqual(BYTES);
    expect(service.asked.map(({ headers }) => headers.range)).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^bytes=[1-9]\d*-99999$/),
    ]);
  });

  it('gives up when it breaks again and again, and says so', async () => {
    const store = await serve((asked, response) => give(asked, response, { cut: 1_000 }));
    await expect(store.read(KEY)).rejects.toMatchObject({
      name: 'FileStoreUnavailable',
      reason: 'unreachable',
    });
    expect(service.asked).toHaveLength(3);
  });

  it('refuses bytes that are not those of the hash, in a stream at its end', async () => {
    const other = Buffer.from(BYTES);
    other[50_000]! ^= 1;
    const store = await serve((asked, response) => give(asked, response, { bytes: other }));
    await expect(store.read(KEY)).rejects.toMatchObject({ name: 'FileDamaged' });
    const file = await store.open(KEY);
    let seen = 0;
    const reading = async () => {
      for await (const part of file!.stream) seen += part.length;
    };
    await expect(reading()).rejects.toThrow(KEY);
    expect(seen).toBe(BYTES.length);
  });

  it('refuses a file that has another length than a moment before', async () => {
    const store = await serve((asked, response) => give(asked, response, { bytes: BYTES.subarray(1) }));
    await expect(store.read(KEY)).rejects.toMatchObject({ name: 'FileDamaged' });
  });

  it('gives exactly the range where the service answers with the whole file', async () => {
    const store = await serve((asked, response) => give(asked, response, { ranges: false }));
    expect(await collect(await store.open(KEY, { start: 70_000, end: 70_009 }))).toEqual(
      BYTES.subarray(70_000, 70_010),
    );
    expect(await collect(await store.open(KEY, { start: 0, end: 0 }))).toEqual(BYTES.subarray(0, 1));
  });

  it('finds no file that is deleted between its length and its bytes; a stream fails', async () => {
    const store = await serve((asked, response) =>
      asked.method === 'HEAD' ? give(asked, response) : refuse(response, 404, 'NoSuchKey'),
    );
    expect(await store.read(KEY)).toBeNull();
    await expect(collect(await store.open(KEY))).rejects.toThrow('the file was deleted');
  });

  it('does not take a missing bucket for a missing file', async () => {
    const store = await serve((_, response) => refuse(response, 404, 'NoSuchBucket'));
    for (const ask of [store.read(KEY), store.open(KEY), store.has(KEY), store.delete(KEY)]) {
      await expect(ask).rejects.toMatchObject({ reason: 'missing' });
    }
  });

  it('stops when a body does not go on', async () => {
    service = await openFaultyService((asked, response) => {
      if (asked.method === 'HEAD') return give(asked, response);
      response.writeHead(200, { 'content-length': BYTES.length });
      response.write(BYTES.subarray(0, 10));
    });
    const store = service.store({ attempts: 1, idleMs: 50 });
    await expect(store.read(KEY)).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
