import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../clients/typescript/src/index.ts';
import { crawl, ended, gone, record, sourcesOf, until } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { manyPages, page, type Site } from '../support/site.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../support/service.ts';

describe('crawls', () => {
  const journey = openJourney();
  let service: Tenant;
  const { site } = journey;

  beforeAll(async () => {
    service = await journey.tenant();
  }, 120_000);

  const search = (query: string, more: Partial<SearchRequest> = {}) =>
    service.post('/search', { body: { query, ...more } });
  const types = (entries: readonly { readonly type: string }[]) => entries.map(({ type }) => type);

  describe('a crawl', { timeout: 180_000 }, () => {
    it('goes from POST to a search answer, and its trail tells every step', async () => {
      const { origin } = await site(manyPages(45));
      const made = await crawl(service, `${origin}/`);
      expect(made).toMatchObject({ status: 'queued', start_url: `${origin}/`, name: 'A site' });
      const entries = await ended(service, made.id);
      expect(types(entries).filter((type) => type !== 'JobProgressed')).toEqual([
        'DataSourceRegistered',
        'JobQueued',
        'JobClaimed',
        'JobStarted',
        'JobSucceeded',
      ]);
      expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, i) => i));
      expect(entries.at(-1).data.counts).toMatchObject({ seen: 45, indexed: 45, failed: 0 });
      expect(new Set(entries.map(({ trace_id: traceId }) => traceId)).size).toBe(1);
      expect((await record(service, made.id)).status).toBe('success');
      const sources = await sourcesOf(service, made.id);
      expect(sources).toHaveLength(45);
      const found = await search('number42 falcons');
      expect(found.results[0]!.content).toMatchObject({
        url: `${origin}/p42`,
        title: 'Page 42',
        source_type: 'crawl',
      });
      const content = await service.get('/contents/{id}', { path: { id: found.results[0]!.content.id } });
      expect(content).toEqual(found.results[0]!.content);
      const raw = await service.api('GET', `/sources/${found.results[0]!.content.source_id}/raw`);
      expect(raw.body).toContain('number42');
    });

    it('is deleted while it runs: nothing of it is readable from the answer on, its trail stays', async () => {
      const doomed = await site({
        ...manyPages(200),
        '/': page('Start', 'a word like zanzibarium', ['/p1', '/p2', '/p3']),
      });
      const made = await crawl(service, `${doomed.origin}/`);
      await until(service, made.id, ['JobProgressed', 'JobSucceeded']);
      const deleted = await service.api('DELETE', `/crawls/${made.id}`);
      expect([deleted.status, deleted.body.status]).toEqual([202, 'deleting']);
      expect((await search('zanzibarium')).results).toEqual([]);
      expect((await sourcesOf(service, made.id)).length).toBe(0);
      const entries = await until(service, made.id, ['DataSourceDeleted']);
      expect(types(entries)).toContain('DataSourceDeletionRequested');
      await gone(service, made.id);
      await expect(service.delete('/crawls/{id}', { path: { id: made.id } })).rejects.toMatchObject({
        type: 'not_found',
      });
      const trail = await service.get('/crawls/{id}/events', {
        path: { id: made.id },
        query: { limit: 100 },
      });
      expect(trail.events.at(-1)!.type).toBe('DataSourceDeleted');
    });

    it('fails with a reason when its start cannot be had', async () => {
      const blocked = await site({
        '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /'),
      });
      const robots = await crawl(service, `${blocked.origin}/`);
      expect((await ended(service, robots.id)).at(-1).data.error.title).toBe('Blocked by robots.txt');
      const missing = await site({});
      const none = await crawl(service, `${missing.origin}/`);
      expect((await ended(service, none.id)).at(-1).data.error.title).toBe('Start URL not reachable');
      const inner = await crawl(service, 'http://169.254.169.254/latest/meta-data/');
      expect((await ended(service, inner.id)).at(-1).data.error.title).toBe('Address not allowed');
      const errors = await service.api('GET', `/crawls/${none.id}/errors`);
      expect(errors.body.errors).toMatchObject([{ locator: `${missing.origin}/`, code: 'http_status' }]);
    });
  });

  describe('what is found', { timeout: 180_000 }, () => {
    it('is filtered by status, by the beginning of a name, and by source groups, and is highlighted', async () => {
      const one = await site(manyPages(130));
      const two = await site({ '/': page('Lanners', 'A lanner hunts. Lanners hunt by hunting.') });
      const named = (name: string, { origin }: Site) => crawl(service, `${origin}/`, { name });
      const made = [await named('Birds 1', one), await named('Birds 2%', two), await named('Two birds', two)];
      const ids: string[] = made.map(({ id }) => id);
      const [big, small] = ids as [string, string];
      await Promise.all(ids.map((id) => ended(service, id)));
      await Promise.all(ids.map((id) => record(service, id)));

      const list = async (query: string) => {
        const { body } = await service.api('GET', `/crawls?${query}`);
        return [body.crawls.map(({ id }: { id: string }) => id), body.pagination.total];
      };
      expect(await list('name=bIRDS')).toEqual([[small, big], 2]);
      expect(await list('name=Birds&limit=1')).toEqual([[small], 2]);
      expect(await list(`name=Birds&after=${small}`)).toEqual([[big], 2]);
      expect(await list('name=Birds%202%25')).toEqual([[small], 1]);
      expect(await list('name=Birds&status=queued')).toEqual([[], 0]);
      expect(await list('name=Birds&status=success')).toEqual([[small, big], 2]);
      expect((await service.api('GET', '/crawls?status=done')).status).toBe(400);

      expect((await search('falcons', { limit: 1000, source_group_ids: [big] })).results).toHaveLength(130);
      expect((await search('falcons', { source_group_ids: [small] })).results).toEqual([]);
      const query = await service.api('POST', '/query', { source_group_ids: [small.toUpperCase()] });
      expect(query.body.pagination.total).toBe(1);
      const question = [{ role: 'user', content: 'What does a lanner do?' }] as const;
      const answer = await service.post('/completions', {
        body: {
          messages: question,
          source_group_ids: [big],
        },
      });
      expect(JSON.stringify(answer)).not.toContain('Lanners hunt');

      const [hit] = (await search('hunts, lanner', { source_group_ids: [small] })).results;
      const words = hit!.highlights.map(({ start, end }) =>
        hit!.content.text.slice(start, end).toLowerCase(),
      );
      expect(new Set(words)).toEqual(new Set(['lanner', 'lanners', 'hunts', 'hunt', 'hunting']));

      const misspelled = await search('lannre', { source_group_ids: [small] });
      expect(misspelled.corrected_query).toBe('lanner');
      expect(misspelled.results[0]!.highlights).toHaveLength(3);
      const listed = await service.get('/sources', { query: { source_group_id: small } });
      expect(listed.sources).toMatchObject([{ language: 'en' }]);
    });
  });
});

describe('a cancel, asked for at any moment', { timeout: 240_000 }, () => {
  /** When the cancel is sent after the answer to the request that began the job: while it is queued, starting, started. */
  const MOMENTS_MS = [0, 10, 20, 30, 40, 50, 60, 75, 90, 110, 130, 150];

  const START = page('Start', 'soon canceled');

  const journey = openJourney();
  let service: Service;
  let site: Site;
  beforeAll(async () => {
    site = await journey.site({ '/': START });
    service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_LEVEL: 'warn' });
  }, 120_000);

  /** No answer of the site for this path comes before it is called. */
  const held = (path: string, answer: string): (() => void) => {
    const hold = Promise.withResolvers<void>();
    site.pages.set(path, (_, response) => {
      void hold.promise.then(() => response.end(answer));
    });
    return () => {
      site.pages.set(path, answer);
      hold.resolve();
    };
  };

  /** Cancels the job `ms` after it was asked for; answers how it ended, and how long after the request. */
  const canceledAfter = async (ms: number, id: string, revision: number) => {
    await pause(ms);
    const { status } = await service.api('POST', `/crawls/${id}/cancel`);
    const entries = (await ended(service, id, revision)).filter((entry) => entry.revision > revision);
    const [asked, end] = [entries.find(({ type }) => type === 'JobCancelRequested'), entries.at(-1)];
    return {
      // Asked for while it waited, the caller's word is the end of it.
      told: asked === undefined ? ['caller', 'api_key'] : ['worker', 'worker'],
      took: asked === undefined ? 0 : end.data.at - asked.data.at,
      status,
      end,
      listed: await record(service, id),
    };
  };
  type Canceled = Awaited<ReturnType<typeof canceledAfter>>;

  const mustBePlain = ({ status, end, told, listed }: Canceled): void => {
    expect([status, end.type, end.data.by, end.actor.kind]).toEqual([202, 'JobCanceled', ...told]);
    expect([end.data.error, listed.status, listed.error]).toEqual([undefined, 'canceled', undefined]);
  };
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

  it('of a first job is a plain one, by whoever had the job', async () => {
    const seen: Canceled[] = [];
    for (const ms of MOMENTS_MS) {
      // Its robots.txt is answered at once, so that the job begins as soon as it can.
      const release = held('/', START);
      const { id } = await crawl(service, `${site.origin}/`);
      seen.push(await canceledAfter(ms, id, 1));
      release();
    }
    for (const one of seen) mustBePlain(one);
    expect(median(seen.map(({ took }) => took))).toBeLessThan(2_000);
    expect(service.output()).not.toContain('abandoned job');
  });

  it('of a job that has been claimed, and has not begun, is answered before it begins', async () => {
    const release = held('/robots.txt', '');
    const { id } = await crawl(service, `${site.origin}/`);
    await until(service, id, ['JobClaimed']);
    const canceled = canceledAfter(0, id, 1);
    await until(service, id, ['JobCancelRequested']);
    release();
    mustBePlain(await canceled);
    expect((await until(service, id, ['JobCanceled'])).map(({ type }) => type)).not.toContain('JobStarted');
  });
});
