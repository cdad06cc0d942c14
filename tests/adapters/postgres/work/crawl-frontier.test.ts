import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCrawlFrontier } from '../../../../adapters/postgres/work/crawl-frontier.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migration.ts';
import { createIdSource } from '../../../../adapters/system/identity.ts';
import { visited } from '../../../../application/crawl/visit.ts';
import type { CrawlFrontier } from '../../../../application/ports/crawl-frontier.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase<never>;
let frontier: CrawlFrontier;
const { newId } = createIdSource();

beforeAll(async () => {
  database = await freshDatabase(workMigrations);
  frontier = createCrawlFrontier(database.db);
});
afterAll(() => database.close());

const indexed = (url: string, links: readonly string[] = []) =>
  visited(url, 'indexed', 5, 1, {
    source_id: newId(),
    bytes: 10,
    etag: '"1"',
    raw_sha256: 'a'.repeat(64),
    links,
  });
const urls = (pages: readonly { readonly url: string }[]) => pages.map(({ url }) => url);

describe('the crawl frontier', () => {
  it('owes pages nearest to the start first, in the order of their discovery, each once', async () => {
    const run = { data_source_id: newId(), generation: 1 };
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
    expect(urls(await frontier.owed(run, 10, []))).toEqual(['http://a/b', 'http://a/z', 'http://a/c']);
    expect(urls(await frontier.owed(run, 10, ['http://a/b']))).toEqual(['http://a/z', 'http://a/c']);
    expect(urls(await frontier.owed(run, 1, []))).toEqual(['http://a/b']);
  });

  it('counts what was visited: the sum of its parts', async () => {
    const run = { data_source_id: newId(), generation: 1 };
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
    const errors = await frontier.errors(run.data_source_id, { limit: 10 });
    expect(errors).toEqual({
      rows: [{ locator: 'http://a/2', code: 'timed_out', message: 'too late', at: 5, attempt: 1 }],
      has_more: false,
      total: 1,
    });
    expect(await frontier.robotsBlocked(run.data_source_id, 10)).toEqual(['http://a/3']);
  });

  it('gives the next generation what the last success said, and keeps it over a failure', async () => {
    const [one, two, three] = [1, 2, 3].map((generation) => ({ data_source_id: ID, generation })) as [
      Run,
      Run,
      Run,
    ];
    await frontier.commit(one, [indexed('http://a/', ['http://a/x'])], []);
    await frontier.admit(two, [{ url: 'http://a/', depth: 0 }]);
    const [owed] = await frontier.owed(two, 1, []);
    expect(owed?.known).toMatchObject({ etag: '"1"', links: ['http://a/x'], failed: false });
    await frontier.commit(two, [visited('http://a/', 'failed', 6, 1, { code: 'http_status' })], []);
    await frontier.admit(three, [{ url: 'http://a/', depth: 0 }]);
    expect((await frontier.owed(three, 1, []))[0]?.known).toMatchObject({ etag: '"1"', failed: true });
  });

  it('knows what a generation did not come by, until it is forgotten', async () => {
    const one = { data_source_id: newId(), generation: 1 };
    const two = { ...one, generation: 2 };
    const gone = indexed('http://a/gone');
    await frontier.commit(one, [indexed('http://a/'), gone, visited('http://a/robots', 'robots', 5, 1)], []);
    await frontier.commit(two, [indexed('http://a/')], []);
    expect(await frontier.unseen(two, 10)).toEqual([{ url: 'http://a/gone', source_id: gone.source_id }]);
    await frontier.forget(one.data_source_id, ['http://a/gone']);
    expect(await frontier.unseen(two, 10)).toEqual([]);
  });

  it('forgets everything of one data source and nothing of another', async () => {
    const [one, other] = [newId(), newId()].map((data_source_id) => ({ data_source_id, generation: 1 })) as [
      Run,
      Run,
    ];
    await frontier.admit(one, [{ url: 'http://a/', depth: 0 }]);
    await frontier.admit(other, [{ url: 'http://a/', depth: 0 }]);
    await frontier.purge(one.data_source_id);
    expect(await frontier.owed(one, 10, [])).toEqual([]);
    expect(await frontier.owed(other, 10, [])).toHaveLength(1);
  });

  it('remembers where the start URL redirects to, for a job that goes on', async () => {
    const run = { data_source_id: newId(), generation: 1 };
    const moved = visited('http://a/', 'skipped', 5, 1, { code: 'redirected', message: 'http://b/' });
    await frontier.commit(run, [moved], []);
    expect(await frontier.redirectOf(run, 'http://a/')).toBe('http://b/');
    expect(await frontier.redirectOf({ ...run, generation: 2 }, 'http://a/')).toBeNull();
  });
});

type Run = { readonly data_source_id: string; readonly generation: number };
const ID = newId();
