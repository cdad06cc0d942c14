import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { contradictions } from '../adapters/postgres/catalog/catalog-dump.ts';
import { storedPostings } from '../adapters/postgres/catalog/stored-postings.ts';
import { crawl, ended } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { eventsOf } from '../support/event-log.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';

const PAGES = manyPages(80);
const COUNT = Object.keys(PAGES).length;

const journey = openJourney();
let service: Service;
let site: Site;
let id: string;
let types: readonly string[];
/** How often the site was asked for what was stored as done at the kill: at that time, by path. */
let done: ReadonlyMap<string, number>;

const rows = <Row>(query: ReturnType<typeof sql>): Promise<readonly Row[]> =>
  inDatabase(service, async ({ db }) => (await query.execute(db)).rows as Row[]);
const pathOf = (url: string): string => url.slice(site.origin.length);

/** Kills the service in the middle of its crawl, notes what it had stored, and starts it again. */
const killAndRestart = async (held: Promise<() => void>): Promise<void> => {
  const release = await held;
  expect(await service.end('SIGKILL')).toEqual([null, 'SIGKILL']);
  const stored = await rows<{ url: string }>(
    sql`select url from work.crawl_page where data_source_id = ${id} and outcome is not null`,
  );
  done = new Map(stored.map(({ url }) => [pathOf(url), site.hits.get(pathOf(url)) ?? 0]));
  release();
  service = await service.again();
};

beforeAll(async () => {
  site = await journey.site(PAGES);
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_LEVEL: 'warn' });
  const held = site.holdAfter(COUNT / 2);
  id = (await crawl(service, `${site.origin}/`)).id;
  await killAndRestart(held);
  types = (await ended(service, id)).map(({ type }) => type);
}, 120_000);

describe('a crawl whose process was killed', { timeout: 180_000 }, () => {
  it('ends well, as one job that was taken up again', () => {
    expect(types.filter((type) => type === 'JobQueued')).toHaveLength(1);
    expect(types.filter((type) => type === 'JobRequeued')).toHaveLength(1);
    expect(types.filter((type) => type === 'JobSucceeded')).toHaveLength(1);
    expect(types.at(-1)).toBe('JobSucceeded');
  });

  it('asked the site no second time for a page that was stored', () => {
    expect(done.size).toBeGreaterThan(0);
    for (const [path, hits] of done) expect([path, hits, site.hits.get(path)]).toEqual([path, 1, 1]);
  });

  it('visited each page of the site once by its table', async () => {
    const pages = await rows<{ url: string; outcome: string }>(
      sql`select url, outcome from work.crawl_page where data_source_id = ${id}`,
    );
    expect(pages.map(({ url }) => pathOf(url)).toSorted()).toEqual(Object.keys(PAGES).toSorted());
    expect(pages.filter(({ outcome }) => outcome !== 'indexed')).toEqual([]);
  });

  it('told of each page once: one stream per page, of one event', async () => {
    const events = await eventsOf(service, { categories: ['source'] });
    expect(events.filter(({ type, revision }) => type !== 'SourceIndexed' || revision !== 0n)).toEqual([]);
    expect(new Set(events.map(({ data }) => data['data_source_id']))).toEqual(new Set([id]));
    expect(new Set(events.map(({ stream }) => stream)).size).toBe(events.length);
    expect(events.map(({ data }) => pathOf(data['locator'] as string)).toSorted()).toEqual(
      Object.keys(PAGES).toSorted(),
    );
  });

  it('has one document for each page, with the text of that page, in the catalog and in its index', async () => {
    const texts = await rows<{ url: string; text: string; no: number }>(
      sql`select s.url, x.text, c.no from read.source s
        left join read.content c on c.source_no = s.no left join read.content_text x on x.content_no = c.no
        where s.data_source_id = ${id} and s.status = 'indexed'`,
    );
    expect(texts.map(({ url }) => pathOf(url)).toSorted()).toEqual(Object.keys(PAGES).toSorted());
    for (const { url, text } of texts) {
      const word = `number${pathOf(url).slice(2) || '0'}`;
      expect(text.split(/\s/).filter((part) => part === word)).toEqual([word]);
    }
    const indexed = await inDatabase(service, async ({ db }) => {
      const found = await sql<{ no: number }>`
        select unnest(nos) as no from ${await storedPostings(db, 'read')} p where term = 'falcon' order by 1`.execute(
        db,
      );
      return found.rows;
    });
    expect(indexed.map(({ no }) => no)).toEqual(texts.map(({ no }) => no).toSorted((a, b) => a - b));
    expect(await inDatabase(service, ({ db }) => contradictions(db, 'read'))).toEqual([]);
  });

  it('left the files of its pages, and none that is of no page', async () => {
    const wanted = await rows<{ hash: string }>(
      sql`select indexed->>'raw_sha256' as hash from read.source where data_source_id = ${id}
        union select indexed->>'chunk_set_sha256' from read.source where data_source_id = ${id}`,
    );
    const entries = await readdir(join(service.dataDir, 'files', id), {
      recursive: true,
      withFileTypes: true,
    });
    // Unfinished files of the dead process lie in a folder of their own until they are a day old.
    const files = entries.map(({ name }) => name).filter((name) => /^[0-9a-f]{64}$/.test(name));
    expect(files.toSorted()).toEqual(wanted.map(({ hash }) => hash).toSorted());
  });
});
