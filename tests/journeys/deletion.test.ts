import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, gone, until, ended, pathsOf } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site, page as pageOf, tagged } from '../support/site.ts';
import { sql } from 'kysely';
import { inDatabase } from '../support/database.ts';
import { readdir } from 'node:fs/promises';
import { synced } from '../support/sync.ts';

describe('a crawl that is deleted while its job commits', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Service;
  beforeAll(async () => {
    service = await journey.service({
      KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
      KNOWLEDGER_LOG_LEVEL: 'warn',
    });
  }, 120_000);

  /** What tables hold of a data source, past everything that the service answers. */
  const rowsOf = (id: string): Promise<object> =>
    inDatabase(service, async ({ pool }) => {
      const { rows } = await pool.query<object>(
        `select
          (select count(*)::int from read.source where data_source_id = $1 and status <> 'removed') as sources,
          (select count(*)::int from read.source where data_source_id = $1 and indexed is not null) as indexed,
          (select count(*)::int from read.content where data_source_id = $1) as contents,
          (select count(*)::int from read.text_block t
            where not exists (select from read.content c where c.source_no = t.source_no)) as texts,
          (select count(*)::int from work.crawl_page where data_source_id = $1) as pages,
          (select count(*)::int from work.work_lease where id = $1 and until > now()) as leases`,
        [id],
      );
      return rows[0] ?? {};
    });

  const NOTHING = { sources: 0, indexed: 0, contents: 0, texts: 0, pages: 0, leases: 0 };

  it.each([1, 7, 40])('leaves nothing when %i pages were asked for', async (pages) => {
    const site = await journey.site(manyPages(60));
    const reached = site.holdAfter(pages);
    const { id } = await crawl(service, `${site.origin}/`);
    const release = await reached;
    // Some pages are being read and committed, others have not arrived: they do while the deletion is on its way.
    const deletions = Array.from({ length: 5 }, () => service.api('DELETE', `/crawls/${id}`));
    release();
    for (const { status, body } of await Promise.all(deletions)) {
      expect([status, body.id, body.status]).toEqual([202, id, 'deleting']);
    }
    const trail = await until(service, id, ['DataSourceDeleted', 'DataSourceDeletionFailed']);
    expect(trail.at(-1).type).toBe('DataSourceDeleted');
    expect(trail.filter(({ type }) => type === 'DataSourceDeletionRequested')).toHaveLength(1);

    await gone(service, id);
    expect(await rowsOf(id)).toEqual(NOTHING);
    expect(existsSync(join(service.dataDir, 'files', id))).toBe(false);
    const body = await service.post('/query', { body: {} });
    expect(body.contents).toEqual([]);
    for (let again = 0; again < 2; again += 1) {
      await expect(service.delete('/crawls/{id}', { path: { id } })).rejects.toMatchObject({
        type: 'not_found',
      });
    }
    // Nor did the second wave of requests change the trail.
    const after = await service.get('/crawls/{id}/events', { path: { id }, query: { limit: 100 } });
    expect(after.events).toHaveLength(trail.length);
  });
});

describe('a deletion that the database fails', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Service;
  let site: Site;
  beforeAll(async () => {
    site = await journey.site(manyPages(5));
    service = await journey.service({
      KNOWLEDGER_ALLOW_ADDRESSES: site.host,
      KNOWLEDGER_LOG_LEVEL: 'warn',
      // So short that four tries would be over in seconds if they knew no pause of their own.
      KNOWLEDGER_LEASE_SECONDS: '3',
    });
  }, 120_000);

  const TRIES = 4;
  const failures = (): number => service.output().split('deletion will be retried').length - 1;

  /** Ends every session that waits for the frontier until this many tries of the deletion have failed. */
  const breakTries = (onLocked: () => void): Promise<void> =>
    inDatabase(service, ({ db }) =>
      db.transaction().execute(async (trx) => {
        await sql`lock table work.crawl_page in access exclusive mode`.execute(trx);
        onLocked();
        const end = () =>
          sql`select pg_terminate_backend(pid) from pg_locks
            where relation = 'work.crawl_page'::regclass and not granted`.execute(trx);
        await expect.poll(() => end().then(failures), { timeout: 90_000 }).toBeGreaterThanOrEqual(TRIES);
      }),
    );

  it('goes on with pauses for as long as that may pass, and is told once for each try', async () => {
    const { id } = await crawl(service, `${site.origin}/`);
    await ended(service, id);
    const { promise: locked, resolve } = Promise.withResolvers<void>();
    const broken = breakTries(resolve);
    // A deletion that is quicker than the lock would not be broken.
    await Promise.race([locked, broken]);
    await service.delete('/crawls/{id}', { path: { id } });
    await broken;
    const trail = await until(service, id, ['DataSourceDeleted', 'DataSourceDeletionFailed']);
    expect(trail.map(({ type }) => type).slice(-2)).toEqual([
      'DataSourceDeletionRequested',
      'DataSourceDeleted',
    ]);
    await gone(service, id);
    expect(failures()).toBe(TRIES);
    expect(service.output()).not.toContain('deletion failed');
  });
});

describe('DELETE /sources/{id}', { timeout: 180_000 }, () => {
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

  const sourceAt = async (url: string): Promise<{ readonly id: string; readonly sha256?: string }> =>
    (await service.get('/sources', { query: { url } })).sources[0]!;

  const stored = async (id: string): Promise<readonly string[]> => {
    const entries = await readdir(join(service.dataDir, 'files', id), {
      recursive: true,
      withFileTypes: true,
    });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  /** Resolves when so many files are left of a data source. */
  const left = async (id: string, files: number): Promise<void> => {
    await expect.poll(() => stored(id).then(({ length }) => length), { timeout: 30_000 }).toBe(files);
  };

  it('takes one page out at once, deletes its bytes, and lets a later sync bring it back as new', async () => {
    const site = await open();
    const { id, sync } = await synced(service, site, { no_canonical_check: true });
    const source = await sourceAt(`${site.origin}/a`);
    const before = await stored(id);
    expect(before).toContain(source.sha256);
    await service.put('/sources/{id}/metadata', {
      path: { id: source.id },
      body: {
        records: [{ key: 'bird', val: 'kestrel' }],
      },
    });
    const page = await service.get('/sources/{id}/contents', { path: { id: source.id } });
    const [content] = page.contents;

    const answer = await service.api('DELETE', `/sources/${source.id}`);
    expect([answer.status, answer.body.id]).toEqual([202, source.id]);
    expect(answer.headers.get('x-position')).not.toBeNull();
    for (const path of [`/sources/${source.id}`, `/sources/${source.id}/raw`, `/contents/${content!.id}`]) {
      expect([path, (await service.api('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await service.post('/search', { body: { query: 'kestrel hovers' } })).results).toEqual([]);
    await expect(service.delete('/sources/{id}', { path: { id: source.id } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await left(id, before.length - 2);
    expect(await stored(id)).not.toContain(source.sha256);

    expect(await sync()).toMatchObject({ indexed: 1, unchanged: 3 });
    expect(await pathsOf(service, site, id)).toContain('/a');
    const again = await sourceAt(`${site.origin}/a`);
    expect(again).toMatchObject({ id: source.id, status: 'indexed', metadata: { records: [] } });
    await service.raw('GET', '/sources/{id}/raw', { path: { id: source.id } });
    expect(await sync()).toMatchObject({ indexed: 0, unchanged: 4 });
  });

  it('is not undone by a job that is under way', async () => {
    const site = await open();
    const { id, last } = await synced(service, site, { no_canonical_check: true });
    const source = await sourceAt(`${site.origin}/a`);
    const reached = site.holdAfter(1);
    await service.post('/crawls/{id}/sync', { path: { id }, body: { mode: 'full' } });
    const release = await reached;
    await service.delete('/sources/{id}', { path: { id: source.id } });
    release();
    const over = (await ended(service, id, last().revision)).at(-1);
    await expect(service.get('/sources/{id}', { path: { id: source.id } })).rejects.toMatchObject({
      type: 'not_found',
    });
    expect(await pathsOf(service, site, id)).not.toContain('/a');

    await service.post('/crawls/{id}/sync', { path: { id }, body: {} });
    await ended(service, id, over.revision);
    expect(await pathsOf(service, site, id)).toContain('/a');
    await service.raw('GET', '/sources/{id}/raw', { path: { id: source.id } });
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
    await service.post('/crawls/{id}/sync', { path: { id }, body: {} });
    await service.delete('/sources/{id}', { path: { id: source.id } });
    // When the bytes of this one are gone, those of the other have been looked at too.
    await service.delete('/sources/{id}', { path: { id: erased.id } });
    await left(other, before.length - 2);
    expect((await service.get('/crawls/{id}', { path: { id } })).status).toBe('queued');
    expect(await stored(id)).toContain(source.sha256);
    release();
    const over = (await ended(service, id, last().revision)).at(-1);
    expect(await pathsOf(service, site, id)).not.toContain('/a');

    await service.post('/crawls/{id}/sync', { path: { id }, body: {} });
    await ended(service, id, over.revision);
    expect(await pathsOf(service, site, id)).toContain('/a');
    await ended(service, busy.id);
  });
});
