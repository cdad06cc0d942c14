import { expect, it } from 'vitest';
import { withKey } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';

const journey = openJourney();

it(
  'source groups are found by kind, state and the beginning of the name, with the end of their newest job',
  { timeout: 120_000 },
  async () => {
    const tenant = await journey.tenant();
    const { api } = tenant;
    const site = await journey.site({ '/': '<h1>Birds</h1><p>A heron stands in reeds.' });
    const crawl = async (name: string, path: string) => {
      const body = { name, start_url: `${site.origin}${path}`, max_depth: 1, max_num_files: 5 };
      return (await api('POST', '/crawls', body)).body.id as string;
    };
    const good = await crawl('Birds', '/');
    const bad = await crawl('Bad luck', '/missing');
    const push = (await api('POST', '/pushes', { name: 'Birds too' })).body.id as string;
    const found = async (query: string) => {
      const { body } = await api('GET', `/source-groups?${query}`);
      const ids = body.source_groups.map(({ id }: { readonly id: string }) => id);
      expect([query, body.pagination.total]).toEqual([query, ids.length]);
      return ids;
    };
    await eventually(
      () => found('status=success,failure'),
      (ids) => ids.length === 2,
    );
    expect(await found('status=failure')).toEqual([bad]);
    expect(await found('status=success')).toEqual([good]);
    expect(await found('source_type=push')).toEqual([push]);
    expect(await found(`id=${good},${push.toUpperCase()},${crypto.randomUUID()}`)).toEqual([push, good]);
    expect(await found(`id=${good}&source_type=push`)).toEqual([]);
    const { results } = (await api('POST', '/search', { query: 'heron' })).body;
    expect(results[0].content.source_group_id).toBe(good);
    expect(await found('source_type=push,crawl')).toEqual([push, bad, good]);
    expect(await found('name=Birds')).toEqual([push, good]);
    expect(await found('name=Birds&source_type=crawl&status=success')).toEqual([good]);
    expect(await found('name=bIRDS')).toEqual([push, good]);
    expect(await found('name=irds')).toEqual([]);
    expect((await api('GET', '/source-groups?status=broken')).status).toBe(400);
    expect(await found('sort=oldest')).toEqual([good, bad, push]);
    const low = (await api('POST', '/pushes', { name: 'bEES' })).body.id as string;
    const byName: string[] = [];
    for (let after = ''; ;) {
      const { body } = await api('GET', `/source-groups?sort=name&limit=1${after}`);
      byName.push(...body.source_groups.map(({ id }: { readonly id: string }) => id));
      if (!body.pagination.has_more) break;
      after = `&after=${body.pagination.next_id}`;
    }
    expect(byName).toEqual([bad, low, good, push]);
    const oldest = await api('GET', `/source-groups?sort=oldest&limit=2&after=${bad}`);
    expect(oldest.body.source_groups.map(({ id }: { readonly id: string }) => id)).toEqual([push, low]);
    expect(await api('GET', '/source-groups?sort=name&as_of=1')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('leave out sort') } },
    });
    const { body } = await api('GET', `/source-groups/${bad}`);
    expect(body.error.message).toMatch(/\S/);
    expect(body.end_time).toBeGreaterThanOrEqual(body.start_time);
    const errors = async (query = '') => {
      const { status, body: page } = await api('GET', `/errors?${query}`);
      expect([query, status, page.pagination.total]).toEqual([query, 200, page.errors.length]);
      return page;
    };
    const failed = {
      source_group_id: bad,
      source_group_name: 'Bad luck',
      source_type: 'crawl',
      locator: `${site.origin}/missing`,
      code: 'http_status',
    };
    expect((await errors()).errors).toMatchObject([failed]);
    expect((await errors('code=http_status&source_type=crawl')).errors).toMatchObject([failed]);
    for (const none of ['code=timeout', 'source_type=push', `source_group_id=${good}`])
      expect((await errors(none)).errors).toEqual([]);
    const { time } = (await errors()).errors[0];
    const failedIn = async (query: string) => (await errors(query)).errors.length;
    expect([
      await failedIn(`from=${time}`),
      await failedIn(`from=${time + 1}`),
      await failedIn(`to=${time + 1}`),
      await failedIn(`to=${time}`),
    ]).toEqual([1, 0, 1, 0]);
    const { end_time: ended, sync_time: synced } = (await api('GET', `/source-groups/${good}`)).body;
    expect([body.sync_time, synced]).toEqual([undefined, ended]);
    const running = (await api('GET', `/source-groups/${push}`)).body;
    expect([running.end_time, running.error]).toEqual([undefined, undefined]);

    const page = await api('GET', `/sources?source_group_id=${good}`);
    const crawls = {
      source_type: 'crawl',
      source_group_count: 2,
      source_count: 1,
      content_count: 1,
      stored_bytes: page.body.sources[0].size,
    };
    expect(crawls.stored_bytes).toBeGreaterThan(0);
    const times = { newest_sync_time: synced, oldest_sync_time: synced };
    const { status, body: told } = await api('GET', '/status');
    expect([status, told.knowledge]).toEqual([
      200,
      [
        { ...crawls, never_synced: 1, ...times },
        {
          ...crawls,
          source_type: 'push',
          source_count: 0,
          content_count: 0,
          stored_bytes: 0,
          never_synced: 2,
        },
      ],
    ]);
    expect(told.jobs).toContainEqual({ status: 'failure', count: 1, since: body.end_time });
    const scopes = ['knowledge:read'];
    const issue = { name: 'reader', scopes, source_group_ids: [good] };
    const reader = withKey(tenant, (await api('POST', '/api-keys', issue)).body.key);
    const seen = await reader.get('/status');
    expect([seen.knowledge, 'jobs' in seen, 'queues' in seen]).toEqual([
      [{ ...crawls, source_group_count: 1, never_synced: 0, ...times }],
      false,
      false,
    ]);
    const stranger = await (await journey.tenant()).get('/status');
    expect([stranger.knowledge, stranger.jobs]).toEqual([[], []]);
  },
);

it(
  'what failed is listed over all data sources, page by page, and no more once it is read or deleted',
  { timeout: 120_000 },
  async () => {
    const { api } = await journey.tenant();
    const links = [1, 2, 3].map((i) => `<a href="/missing${i}">${i}</a>`).join(' ');
    const site = await journey.site({ '/': `<h1>Birds</h1><p>A heron stands in reeds.</p>${links}` });
    const ids: string[] = [];
    for (const name of ['one', 'two']) {
      const body = { name, start_url: `${site.origin}/`, max_depth: 2, max_num_files: 9 };
      ids.push((await api('POST', '/crawls', body)).body.id);
    }
    await eventually(
      () => api('GET', '/source-groups?status=success'),
      ({ body }) => body.pagination.total === 2,
    );
    const totals = new Set<number>();
    const locators = async (limit: number): Promise<readonly string[]> => {
      const all: string[] = [];
      for (let after = ''; ;) {
        const { body } = await api(
          'GET',
          `/errors?limit=${limit}${after && `&after=${encodeURIComponent(after)}`}`,
        );
        for (const { source_group_id: id, locator } of body.errors)
          all.push(`${ids.indexOf(id)} ${locator.slice(-1)}`);
        expect(body.errors.length).toBeLessThanOrEqual(limit);
        totals.add(body.pagination.total);
        if (!body.pagination.has_more) return all;
        after = body.pagination.next_id;
      }
    };
    const all = ['1 1', '1 2', '1 3', '0 1', '0 2', '0 3'];
    for (const limit of [1, 2, 4, 100]) expect(await locators(limit)).toEqual(all);
    expect([...totals]).toEqual([6]);
    expect((await api('GET', '/errors?after=nowhere')).body.error.type).toBe('invalid_cursor');
    site.pages.set('/missing2', '<p>An owl hunts at night.');
    await api('POST', `/crawls/${ids[0]}/sync`, { urls: [`${site.origin}/missing2`] });
    await eventually(
      () => locators(100),
      (left) => !left.includes('0 2'),
    );
    expect(await locators(100)).toEqual(['1 1', '1 2', '1 3', '0 1', '0 3']);

    const asked = Promise.withResolvers<() => void>();
    site.pages.set('/missing1', (_, response) => asked.resolve(() => response.writeHead(404).end()));
    site.pages.set('/', `<h1>Birds</h1><p>A heron stands in reeds.</p>${links.split(' ', 2).join(' ')}`);
    await eventually(
      () => api('GET', `/crawls/${ids[0]}`),
      ({ body }) => body.status === 'success',
    );
    await api('POST', `/crawls/${ids[0]}/sync`, {});
    const answer = await asked.promise;
    expect(await locators(100)).toEqual(['1 1', '1 2', '1 3', '0 1', '0 3']);
    answer();
    await eventually(
      () => locators(100),
      (left) => !left.includes('0 3'),
    );
    expect(await locators(100)).toEqual(['1 1', '1 2', '1 3', '0 1']);
    await api('DELETE', `/crawls/${ids[1]}`);
    expect((await locators(100)).filter((at) => at.startsWith('1'))).toEqual([]);
  },
);
