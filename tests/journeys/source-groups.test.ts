import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';

const journey = openJourney();

it('source groups are found by kind, state and the beginning of the name, with the end of their newest job', async () => {
  const { api } = await journey.tenant();
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
  expect(await found('source_type=push,crawl')).toEqual([push, bad, good]);
  expect(await found('name=Birds')).toEqual([push, good]);
  expect(await found('name=Birds&source_type=crawl&status=success')).toEqual([good]);
  expect(await found('name=birds')).toEqual([]);
  expect((await api('GET', '/source-groups?status=broken')).status).toBe(400);
  const { body } = await api('GET', `/source-groups/${bad}`);
  expect(body.error.message).toMatch(/\S/);
  expect(body.end_time).toBeGreaterThanOrEqual(body.start_time);
  const running = (await api('GET', `/source-groups/${push}`)).body;
  expect([running.end_time, running.error]).toEqual([undefined, undefined]);
});
