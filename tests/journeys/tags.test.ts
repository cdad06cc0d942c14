import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, gone, record } from '../support/crawls.ts';
import { type Answer, type Client } from '../support/client.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
let sites: readonly Site[];
/** Ids of three crawls: of otters, of badgers, of foxes. */
let groups: readonly string[];

beforeAll(async () => {
  sites = await Promise.all(
    ['otter', 'badger', 'fox'].map((word) =>
      journey.site({ '/': page(word, `all about the animal ${word}`) }),
    ),
  );
  service = await journey.tenant();
  const made = await Promise.all(
    sites.map(({ origin }, i) => crawl(service, `${origin}/`, { name: `Crawl ${i}` })),
  );
  groups = made.map(({ id }) => id);
  await Promise.all(groups.map((id) => ended(service, id)));
  await Promise.all(groups.map((id) => record(service, id)));
}, 120_000);

const tagged = async (name: string, ...bound: readonly string[]): Promise<string> => {
  const body = await service.post('/tags', { body: { name } });
  for (const sourceGroupId of bound) {
    const binding = await bind(body.id, sourceGroupId);
    await service.api('GET', '/tag-source-groups', undefined, seen(binding));
  }
  return body.id;
};
const bind = (tagId: string, sourceGroupId: string, headers = {}) =>
  service.api('POST', '/tag-source-groups', { tag_id: tagId, source_group_id: sourceGroupId }, headers);
const seen = ({ headers }: Answer) => ({ 'x-min-position': headers.get('x-position') ?? '' });
const told = ({ status, body }: Answer) => [status, body.error?.type];

/** Words of the sites that search and query find with the filter; both must agree. */
const found = async (filter: object, headers = {}, of: Client = service): Promise<readonly string[]> => {
  const search = await of.api('POST', '/search', { query: 'animal', ...filter }, headers);
  const query = await of.api('POST', '/query', { limit: 100, ...filter }, headers);
  expect([search.status, query.status]).toEqual([200, 200]);
  const words = (contents: readonly { readonly title: string }[]) =>
    contents.map(({ title }) => title).toSorted();
  const titles = words(query.body.contents);
  expect(words(search.body.results.map(({ content }: { content: { title: string } }) => content))).toEqual(
    titles,
  );
  expect(query.body.pagination.total).toBe(titles.length);
  return titles;
};

describe('a search by tags', { timeout: 180_000 }, () => {
  it('finds what carries one of them, or all of them, with every other filter', async () => {
    const [otters = '', badgers = '', foxes = ''] = groups;
    const water = await tagged('water', otters);
    const night = await tagged('night', badgers, foxes);
    await tagged('red', foxes);
    const { headers } = await service.api('PUT', `/tags/${water}`, { description: 'wet' });
    const now = { 'x-min-position': headers.get('x-position') ?? '' };
    const both = async (filter: object, words: readonly string[]) =>
      expect([filter, await found(filter, now)]).toEqual([filter, words]);
    await both({ tags: ['water'] }, ['otter']);
    await both({ tag_ids: [night] }, ['badger', 'fox']);
    await both({ tags: ['water', 'red'] }, ['fox', 'otter']);
    await both({ tags: ['red'], tag_ids: [night], tag_filter_logic: 'AND' }, ['fox']);
    await both({ tags: ['red'], tag_ids: [water], tag_filter_logic: 'AND' }, []);
    await both({ tags: ['Water'] }, []);
    await both({ tags: ['water', 'nobody'], tag_filter_logic: 'AND' }, []);
    await both({ tags: ['water', 'nobody'] }, ['otter']);
    await both({ tags: [], tag_ids: [] }, ['badger', 'fox', 'otter']);
    await both({ tags: ['night'], use_postfilter: true, file_types: ['html'] }, ['badger', 'fox']);
    await both({ tags: ['night'], file_types: ['pdf'] }, []);
  });
});

describe('a source group', { timeout: 180_000 }, () => {
  it('that is being deleted carries no tag, and is gone at the end', async () => {
    const site = sites[0]!;
    const made = await crawl(service, `${site.origin}/`, { name: 'short-lived' });
    await ended(service, made.id);
    const tag = await tagged('doomed', made.id, groups[2]!);
    const before = await Array.fromAsync(service.all('/tag-source-groups'));
    const deletion = await service.api('DELETE', `/crawls/${made.id}`);
    const after = await service.api('GET', '/tag-source-groups?limit=100', undefined, seen(deletion));
    const left = before.filter(({ source_group_id: sourceGroupId }) => sourceGroupId !== made.id);
    expect(after.body.tag_source_groups).toEqual(left);
    expect(after.body.pagination.total).toBe(left.length);
    const binding = before.find(({ source_group_id: sourceGroupId }) => sourceGroupId === made.id);
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.api(method, `/tag-source-groups/${binding!.id}`);
      expect(told(answer)).toEqual([404, 'not_found']);
    }
    expect(
      (await service.put('/tags/{id}', { path: { id: tag }, body: { description: 'x' } })).source_group_count,
    ).toBe(1);
    expect(['404 not_found', '409 source_deleting']).toContain(told(await bind(tag, made.id)).join(' '));
    await gone(service, made.id);
    expect(told(await service.api('GET', `/source-groups/${made.id}`))).toEqual([404, 'not_found']);
    expect(told(await service.api('PUT', `/source-groups/${made.id}`, { name: 'x' }))).toEqual([
      404,
      'not_found',
    ]);
    expect(told(await bind(tag, made.id))).toEqual([404, 'not_found']);
    expect(await found({ tags: ['doomed'] })).toEqual(['fox']);
  });
});
