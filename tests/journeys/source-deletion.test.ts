import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, pathsOf } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page as pageOf, type Site, tagged } from '../support/site.ts';
import { synced } from '../support/sync.ts';

const journey = openJourney();
let service: Service;
beforeAll(async () => {
  const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_LOG_LEVEL: 'warn' };
  service = await journey.service({ ...env, KNOWLEDGER_WORKER_SLOTS: '1' });
}, 120_000);

const open = (): Promise<Site> =>
  journey.site({
    '/': pageOf('Start', 'where all begins', ['/a', '/b', '/twin']),
    '/a': tagged('"a"', pageOf('A', 'the kestrel hovers')),
    '/b': tagged('"b"', pageOf('B', 'the osprey dives')),
    '/twin': tagged('"t"', pageOf('B', 'the osprey dives')),
  });

const sourceAt = async (url: string): Promise<{ readonly id: string; readonly sha256: string }> => {
  const { body } = await service.api('GET', `/sources?url=${encodeURIComponent(url)}`);
  return body.sources[0];
};

const stored = async (id: string): Promise<readonly string[]> => {
  const entries = await readdir(join(service.dataDir, 'files', id), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

/** Resolves when so many files are left of a data source. */
const left = async (id: string, files: number): Promise<void> => {
  await expect.poll(() => stored(id).then(({ length }) => length), { timeout: 30_000 }).toBe(files);
};

describe('DELETE /sources/{id}', { timeout: 180_000 }, () => {
  it('takes one page out at once, deletes its bytes, and lets a later sync bring it back as new', async () => {
    const site = await open();
    const { id, sync } = await synced(service, site, { no_canonical_check: true });
    const source = await sourceAt(`${site.origin}/a`);
    const before = await stored(id);
    expect(before).toContain(source.sha256);
    await service.api('PUT', `/sources/${source.id}/metadata`, {
      records: [{ key: 'bird', val: 'kestrel' }],
    });
    const { body: page } = await service.api('GET', `/sources/${source.id}/contents`);
    const [content] = page.contents;

    const answer = await service.api('DELETE', `/sources/${source.id}`);
    expect([answer.status, answer.body.id]).toEqual([202, source.id]);
    expect(answer.headers.get('x-position')).not.toBeNull();
    for (const path of [`/sources/${source.id}`, `/sources/${source.id}/raw`, `/contents/${content.id}`]) {
      expect([path, (await service.api('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await service.api('POST', '/search', { query: 'kestrel hovers' })).body.results).toEqual([]);
    expect((await service.api('DELETE', `/sources/${source.id}`)).status).toBe(404);
    await left(id, before.length - 2);
    expect(await stored(id)).not.toContain(source.sha256);

    expect(await sync()).toMatchObject({ indexed: 1, unchanged: 3 });
    expect(await pathsOf(service, site, id)).toContain('/a');
    const again = await sourceAt(`${site.origin}/a`);
    expect(again).toMatchObject({ id: source.id, status: 'indexed', metadata: { records: [] } });
    expect((await service.api('GET', `/sources/${source.id}/raw`)).status).toBe(200);
    expect(await sync()).toMatchObject({ indexed: 0, unchanged: 4 });
  });

  it('leaves the bytes to another page that has the same', async () => {
    const site = await open();
    const { id } = await synced(service, site, { no_canonical_check: true });
    const [b, twin] = [await sourceAt(`${site.origin}/b`), await sourceAt(`${site.origin}/twin`)];
    const a = await sourceAt(`${site.origin}/a`);
    expect(b.sha256).toBe(twin.sha256);
    const before = await stored(id);
    for (const source of [b, a])
      expect((await service.api('DELETE', `/sources/${source.id}`)).status).toBe(202);
    // The page and the text of the one, and the text of the other, which names its own URL.
    await left(id, before.length - 3);
    expect(await stored(id)).not.toContain(a.sha256);
    expect((await service.api('GET', `/sources/${twin.id}/raw`)).status).toBe(200);
    expect(await stored(id)).toContain(b.sha256);
  });

  it('is not undone by a job that is under way', async () => {
    const site = await open();
    const { id, last } = await synced(service, site, { no_canonical_check: true });
    const source = await sourceAt(`${site.origin}/a`);
    const reached = site.holdAfter(1);
    await service.api('POST', `/crawls/${id}/sync`, { mode: 'full' });
    const release = await reached;
    expect((await service.api('DELETE', `/sources/${source.id}`)).status).toBe(202);
    release();
    const over = (await ended(service, id, last().revision)).at(-1);
    expect((await service.api('GET', `/sources/${source.id}`)).status).toBe(404);
    expect(await pathsOf(service, site, id)).not.toContain('/a');

    await service.api('POST', `/crawls/${id}/sync`, {});
    await ended(service, id, over.revision);
    expect(await pathsOf(service, site, id)).toContain('/a');
    expect((await service.api('GET', `/sources/${source.id}/raw`)).status).toBe(200);
  });

  it('is not undone by a job that waits, and a later one brings the page back', async () => {
    const [site, idle, slow] = [await open(), await open(), await open()];
    const { id, last } = await synced(service, site, { no_canonical_check: true });
    const { id: other } = await synced(service, idle, { no_canonical_check: true });
    const [source, erased] = [await sourceAt(`${site.origin}/a`), await sourceAt(`${idle.origin}/a`)];
    const before = await stored(other);
    const reached = slow.holdAfter(0);
    const busy = await crawl(service, `${slow.origin}/`);
    const release = await reached;
    await service.api('POST', `/crawls/${id}/sync`, {});
    expect((await service.api('DELETE', `/sources/${source.id}`)).status).toBe(202);
    // When the bytes of this one are gone, those of the other have been looked at too.
    expect((await service.api('DELETE', `/sources/${erased.id}`)).status).toBe(202);
    await left(other, before.length - 2);
    expect((await service.api('GET', `/crawls/${id}`)).body.status).toBe('queued');
    expect(await stored(id)).toContain(source.sha256);
    release();
    const over = (await ended(service, id, last().revision)).at(-1);
    expect(await pathsOf(service, site, id)).not.toContain('/a');

    await service.api('POST', `/crawls/${id}/sync`, {});
    await ended(service, id, over.revision);
    expect(await pathsOf(service, site, id)).toContain('/a');
    await ended(service, busy.id);
  });
});
