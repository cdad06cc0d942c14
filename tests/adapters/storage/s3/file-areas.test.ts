import { createHash, hash } from 'node:crypto';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Asked, type FaultyService, list, openFaultyService } from './faulty-service.ts';
import { createTemporaryFolders } from '../../../../adapters/storage/s3/writing.ts';

const AREA = '01a1fb75-64cc-71f4-80d9-5adbfbf54f87';
const sha256 = (text: string): string => hash('sha256', text, 'hex');
const keyOf = (text: string): string => `p/${AREA}/${sha256(text)}`;

let service: FaultyService;
afterEach(() => service.close());

const isList = ({ method, query }: Asked): boolean => method === 'GET' && query.get('list-type') === '2';
const keysIn = ({ body }: Asked): string[] =>
  [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!);

/** Objects of ten bytes in lists of `perPage`; deletes what it is told to, but for `kept`. */
const openBucket = (keys: string[], perPage: number, kept: (key: string) => boolean = () => false) =>
  openFaultyService((asked, response) => {
    if (isList(asked)) {
      const after = asked.query.get('continuation-token') ?? '';
      const rest = keys
        .filter((key) => key > after && key.startsWith(asked.query.get('prefix') ?? ''))
        .toSorted();
      const page = rest.slice(0, perPage);
      list(
        response,
        page.map((key) => ({ key, bytes: 10 })),
        rest.length > perPage ? page.at(-1) : undefined,
      );
      return;
    }
    for (const key of keysIn(asked)) if (!kept(key)) keys.splice(keys.indexOf(key), 1);
    response.writeHead(200).end('<?xml version="1.0"?><DeleteResult></DeleteResult>');
  });

describe('an area on S3', () => {
  it('is removed page by page, and nothing beside it', async () => {
    const mine = Array.from({ length: 25 }, (_, i) => keyOf(`${i}`));
    const others = ['p/another', 'q'];
    const bucket = [...mine, ...others];
    service = await openBucket(bucket, 10);
    expect(await service.areas().remove(AREA)).toBe(250);
    expect(bucket).toEqual(others);
    const deletions = service.asked.filter((asked) => !isList(asked));
    expect(deletions.map((asked) => keysIn(asked).length)).toEqual([10, 10, 5]);
    for (const { headers, body } of deletions) {
      // Required by services that do not know the newer checksums.
      expect(headers['content-md5']).toBe(createHash('md5').update(body).digest('base64'));
      expect(headers['x-amz-checksum-crc32']).toBeDefined();
    }
    expect(service.asked.every(({ query }) => !query.has('versions'))).toBe(true);
  });

  it('is not called removed while something is left', async () => {
    service = await openBucket([keyOf('stays'), keyOf('goes')], 10, (key) => key === keyOf('stays'));
    await expect(service.areas().remove(AREA)).rejects.toMatchObject({
      name: 'FileStoreUnavailable',
      message: expect.stringContaining('remain after'),
    });
  });

  it('is not called removed where the answer names a key that was refused', async () => {
    service = await openFaultyService((asked, response) => {
      if (isList(asked)) return list(response, [{ key: keyOf('locked'), bytes: 1 }]);
      const error = `<Error><Key>${keyOf('locked')}</Key><Code>AccessDenied</Code></Error>`;
      response.writeHead(200).end(`<?xml version="1.0"?><DeleteResult>${error}</DeleteResult>`);
    });
    await expect(service.areas().remove(AREA)).rejects.toMatchObject({ reason: 'refused' });
  });

  it('keeps in a sweep what the service’s clock may have dated too early', async () => {
    const before = 1_800_000_000_000;
    const objects = [
      { key: keyOf('young'), bytes: 1, at: before - 14 * 60_000 },
      { key: keyOf('old'), bytes: 1, at: before - 16 * 60_000 },
      { key: keyOf('kept'), bytes: 1, at: 0 },
      { key: `p/${AREA}/no hash`, bytes: 1, at: 0 },
    ];
    service = await openFaultyService((asked, response) => {
      if (isList(asked)) list(response, objects);
      else response.writeHead(200).end('<?xml version="1.0"?><DeleteResult></DeleteResult>');
    });
    expect(await service.areas().sweep(AREA, new Set([sha256('kept')]), before)).toBe(1);
    expect(service.asked.filter((asked) => !isList(asked)).map(keysIn)).toEqual([[keyOf('old')]]);
  });
});

describe('temporary folders', () => {
  it('go with their task; those of a crash a day later', async () => {
    service = await openFaultyService(() => {});
    const [old, young] = [join(service.folder, 'old'), join(service.folder, 'young')];
    await Promise.all([old, young].map((path) => mkdir(path)));
    await utimes(old, 1_000, 1_000);
    await utimes(young, 87_000, 87_000);
    const folders = createTemporaryFolders(service.folder, () => 87_500_000);
    const failing = folders.withFolder(async (path) => {
      expect(await readdir(path)).toEqual([]);
      throw new Error('broke');
    });
    await expect(failing).rejects.toThrow('broke');
    expect(await readdir(service.folder)).toEqual(['young']);
  });
});
