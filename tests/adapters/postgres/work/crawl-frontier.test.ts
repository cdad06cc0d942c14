import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCrawlFrontier } from '../../../../adapters/postgres/work/crawl-frontier.ts';
import { migrate } from '../../../../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { createIdSource } from '../../../../adapters/system/identity.ts';
import { visited } from '../../../../application/sources/crawl/visit.ts';
import type { CrawlFrontier } from '../../../../application/ports/crawl-frontier.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase;
let frontier: CrawlFrontier;
const { newId } = createIdSource();

beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  frontier = createCrawlFrontier(database);
});
afterAll(() => database.close());

const indexed = (url: string, links: readonly string[] = []) =>
  visited(url, 'indexed', 5, 1, {
    sourceId: newId(),
    bytes: 10,
    etag: '"1"',
    rawSha256: 'a'.repeat(64),
    links,
  });
const urls = (pages: readonly { readonly url: string }[]) => pages.map(({ url }) => url);

describe('the crawl frontier', () => {
  it('names the sources that no page is known of, but none while a page fails that may have led to them', async () => {
    await database.pool.query(
      'CREATE TABLE read.source (id uuid PRIMARY KEY, data_source_id uuid, status text, indexed jsonb)',
    );
    const run = { dataSourceId: newId(), generation: 2 };
    const sources = Array.from({ length: 5 }, newId).toSorted();
    const [known, removed, failing, ...lost] = sources as [string, string, string, ...string[]];
    await database.pool.query(
      `INSERT INTO read.source SELECT id, $2, CASE WHEN id = $3 THEN 'removed' ELSE 'indexed' END, '{}'
        FROM unnest($1::uuid[]) AS id`,
      [sources, run.dataSourceId, removed],
    );
    const broken = visited('http://a/f', 'failed', 5, 1, {
      sourceId: failing,
      code: 'timed_out',
      message: 'x',
    });
    await frontier.commit(run, [{ ...indexed('http://a/'), sourceId: known }, broken], []);
    expect(await frontier.orphans(run, null, 10)).toEqual([]);
    await frontier.commit(run, [{ ...indexed('http://a/f'), sourceId: failing }], []);
    expect(await frontier.orphans(run, null, 10)).toEqual(lost);
    expect(await frontier.orphans(run, null, 1)).toEqual(lost.slice(0, 1));
    expect(await frontier.orphans(run, lost[0] ?? '', 10)).toEqual(lost.slice(1));
    expect(await frontier.orphans({ ...run, dataSourceId: newId() }, null, 10)).toEqual([]);
  });

  it('owes pages nearest to the start first, in the order of their discovery, each once', async () => {
    const run = { dataSourceId: newId(), generation: 1 };
    await frontier.admit(run, [{ url: 'http://a/', depth: 0 }]);
    const fresh = await frontier.commit(
      run,
      [indexed('http://a/')],
      [
        { url: 'http://a/z', depth: 1 },
        { url: 'http://a/b', depth: 1 },
        { url: 'http://a/b', depth: 2 },
        { url: 'http://a/', depth: 1 },
      ],
    );
    expect(urls(fresh).toSorted()).toEqual(['http://a/b', 'http://a/z']);
    await frontier.commit(run, [], [{ url: 'http://a/c', depth: 1 }]);
    expect(urls(await frontier.pending(run, 10, []))).toEqual(['http://a/b', 'http://a/z', 'http://a/c']);
    expect(urls(await frontier.pending(run, 10, ['http://a/b']))).toEqual(['http://a/z', 'http://a/c']);
    expect(urls(await frontier.pending(run, 1, []))).toEqual(['http://a/b']);
  });

  it('counts what was visited: the sum of its parts', async () => {
    const run = { dataSourceId: newId(), generation: 1 };
    await frontier.commit(
      run,
      [
        indexed('http://a/1'),
        visited('http://a/2', 'failed', 5, 1, { code: 'timed_out', message: 'too late' }),
        visited('http://a/3', 'robots', 5, 1),
        visited('http://a/4', 'skipped', 5, 1),
        { ...indexed('http://a/5'), outcome: 'unchanged' },
      ],
      [{ url: 'http://a/6', depth: 1 }],
    );
    const counts = await frontier.counts(run);
    expect(counts).toEqual({ seen: 5, indexed: 1, unchanged: 1, skipped: 2, failed: 1, bytes: 20 });
    const errors = await frontier.errors(run.dataSourceId, { limit: 10 });
    expect(errors).toEqual({
      rows: [{ locator: 'http://a/2', code: 'timed_out', message: 'too late', at: 5, attempt: 1 }],
      hasMore: false,
      total: 1,
    });
    expect(await frontier.robotsBlocked(run.dataSourceId, 10)).toEqual(['http://a/3']);
  });

  it('gives the next generation what the last success said, and keeps it over a failure', async () => {
    const [one, two, three] = [1, 2, 3].map((generation) => ({ dataSourceId: ID, generation })) as [
      Run,
      Run,
      Run,
    ];
    await frontier.commit(one, [indexed('http://a/', ['http://a/x'])], []);
    await frontier.admit(two, [{ url: 'http://a/', depth: 0 }]);
    const [pending] = await frontier.pending(two, 1, []);
    expect(pending).toMatchObject({ links: ['http://a/x'], known: { etag: '"1"', failed: false } });
    await frontier.commit(two, [visited('http://a/', 'failed', 6, 1, { code: 'http_status' })], []);
    await frontier.admit(three, [{ url: 'http://a/', depth: 0 }]);
    const [again] = await frontier.pending(three, 1, []);
    expect(again).toMatchObject({ links: ['http://a/x'], known: { etag: '"1"', failed: true } });
  });

  it('knows what a generation did not come by, until it is forgotten', async () => {
    const one = { dataSourceId: newId(), generation: 1 };
    const two = { ...one, generation: 2 };
    const [gone, moved] = [indexed('http://a/gone'), indexed('http://a/moved')];
    const robots = visited('http://a/robots', 'robots', 5, 1);
    await frontier.commit(one, [indexed('http://a/'), gone, moved, robots], []);
    await frontier.commit(two, [indexed('http://a/'), visited(moved.url, 'skipped', 6, 1)], []);
    const of = ({ url, sourceId }: typeof gone) => ({ url, sourceId });
    expect(await frontier.unseen(two, 'complete', 10)).toEqual([of(gone), of(moved)]);
    expect(await frontier.unseen(two, 'partial', 10)).toEqual([of(moved)]);
    await frontier.forget(two, [gone.url, moved.url]);
    expect(await frontier.unseen(two, 'complete', 10)).toEqual([]);
    expect(await frontier.counts(two)).toMatchObject({ seen: 2, skipped: 1 });
  });

  it('names no more sources than there are too many, and none that this generation saw', async () => {
    const one = { dataSourceId: newId(), generation: 1 };
    const two = { ...one, generation: 2 };
    const pages = ['a', 'b', 'c'].map((name) => indexed(`http://a/${name}`));
    await frontier.commit(one, pages, []);
    await frontier.commit(two, [indexed('http://a/new'), { ...pages[0]!, outcome: 'unchanged' }], []);
    expect(await frontier.surplus(two, 4, 10)).toEqual([]);
    expect(urls(await frontier.surplus(two, 3, 10))).toEqual(['http://a/c']);
    expect(urls(await frontier.surplus(two, 1, 10))).toEqual(['http://a/c', 'http://a/b']);
  });

  it('owes again what earlier generations have a source of', async () => {
    const one = { dataSourceId: newId(), generation: 1 };
    const two = { ...one, generation: 2 };
    await frontier.commit(one, [indexed('http://a/'), visited('http://a/none', 'skipped', 5, 1)], []);
    await frontier.admitKnown(two);
    const pending = await frontier.pending(two, 10, []);
    expect(pending).toMatchObject([{ url: 'http://a/', known: { etag: '"1"' } }]);
    expect(await frontier.admitted(two)).toBe(1);
  });

  it('lets one of the duplicates stand alone whose canonical URL led to nothing', async () => {
    const run = { dataSourceId: newId(), generation: 1 };
    const copy = (name: string, of: string) =>
      visited(`http://a/${name}`, 'skipped', 5, 1, { code: 'duplicate', message: `http://a/${of}` });
    const sound = [indexed('http://a/well'), copy('w', 'well')];
    const lost = [copy('1', 'gone'), copy('2', 'gone'), copy('x', 'y'), copy('y', 'x'), copy('chain', 'w')];
    await frontier.commit(run, [...sound, ...lost], []);
    expect(await frontier.requeueDuplicates(run)).toBe(3);
    const pending = await frontier.pending(run, 10, []);
    expect(new Set(urls(pending))).toEqual(new Set(['http://a/1', 'http://a/x', 'http://a/y']));
    expect(pending.every(({ ignoresCanonical }) => ignoresCanonical)).toBe(true);
    await frontier.commit(
      run,
      pending.map(({ url }) => indexed(url)),
      [],
    );
    expect(await frontier.requeueDuplicates(run)).toBe(0);
  });

  it('forgets everything of one data source and nothing of another', async () => {
    const [one, other] = [newId(), newId()].map((dataSourceId) => ({ dataSourceId, generation: 1 })) as [
      Run,
      Run,
    ];
    await frontier.admit(one, [{ url: 'http://a/', depth: 0 }]);
    await frontier.admit(other, [{ url: 'http://a/', depth: 0 }]);
    await frontier.purge(one.dataSourceId);
    expect(await frontier.pending(one, 10, [])).toEqual([]);
    expect(await frontier.pending(other, 10, [])).toHaveLength(1);
  });

  it('remembers where the start URL redirects to, for a job that goes on', async () => {
    const run = { dataSourceId: newId(), generation: 1 };
    const moved = visited('http://a/', 'skipped', 5, 1, { code: 'redirected', message: 'http://b/' });
    await frontier.commit(run, [moved], []);
    expect(await frontier.redirectOf(run, 'http://a/')).toBe('http://b/');
    expect(await frontier.redirectOf({ ...run, generation: 2 }, 'http://a/')).toBeNull();
  });

  it('counts the pages that it lost, without those that are gone', async () => {
    const first = { dataSourceId: newId(), generation: 1 };
    const run = { ...first, generation: 2 };
    const gone = visited('http://a/gone', 'failed', 5, 1, { code: 'http_status' });
    const lost = visited('http://a/lost', 'failed', 5, 1, { code: 'timed_out', sourceId: newId() });
    await frontier.commit(first, [indexed('http://a/gone'), indexed('http://a/ok')], []);
    await frontier.commit(run, [gone, lost, indexed('http://a/ok')], []);
    expect(await frontier.lost(run)).toBe(1);
    expect(await frontier.lost(first)).toBe(0);
  });

  it('tells which URLs are documents, and of which text, or of which bytes where no text is known', async () => {
    const run = { dataSourceId: newId(), generation: 1 };
    const [a, b] = [indexed('http://a/a'), indexed('http://a/b')];
    const failing = visited('http://a/c', 'failed', 5, 1, { code: 'http_status' });
    await frontier.commit(run, [b, a, failing], [{ url: 'http://a/d', depth: 1 }]);
    expect(await frontier.documents(run.dataSourceId)).toEqual(['http://a/a', 'http://a/b']);
    expect(await frontier.documentsAt(run.dataSourceId, ['http://a/b', 'http://a/c', 'http://a/e'])).toEqual([
      { url: 'http://a/b', sha256: 'a'.repeat(64) },
    ]);
    await frontier.commit(run, [{ ...b, textSha256: 'b'.repeat(64) }], []);
    await frontier.commit(run, [{ ...b, outcome: 'unchanged' }], []);
    expect(await frontier.documentsAt(run.dataSourceId, ['http://a/b'])).toEqual([
      { url: 'http://a/b', sha256: 'b'.repeat(64) },
    ]);
  });
});

it('has pages read again whose links may have been spelt in another encoding', async () => {
  const isLast = ({ id }: { readonly id: string }): boolean => id === 'work-crawl-links';
  const old = await freshDatabase([...projectionMigrations, ...workMigrations.filter((one) => !isLast(one))]);
  try {
    const pages = createCrawlFrontier(old);
    const run = { dataSourceId: newId(), generation: 1 };
    const spelt = indexed('http://a/spelt', ['http://a/x', 'http://a/find?q=%E4%B8%AD&n=1']);
    const plain = indexed('http://a/plain', ['http://a/%E4%B8%AD?q=a%20b']);
    await pages.commit(run, [spelt, plain], []);
    await migrate(old.pool, workMigrations.filter(isLast));
    const next = { ...run, generation: 2 };
    await pages.admit(next, [
      { url: spelt.url, depth: 0 },
      { url: plain.url, depth: 1 },
    ]);
    expect(await pages.pending(next, 10, [])).toMatchObject([
      { url: spelt.url, known: { etag: null, rawSha256: '' } },
      { url: plain.url, known: { etag: '"1"', rawSha256: 'a'.repeat(64) } },
    ]);
  } finally {
    await old.close();
  }
});

type Run = { readonly dataSourceId: string; readonly generation: number };
const ID = newId();
