import { beforeAll, describe, expect, it } from 'vitest';
import { after, MINE, startGuarded } from '../support/authz.ts';
import { crawl, ended } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

describe('authorization by principal', { timeout: 90_000 }, () => {
  const journey = openJourney();
  let service: Service;
  let site: Site;
  let group: string;
  /** Source and content by what they are about. */
  const ids: { [about: string]: { readonly source: string; readonly content: string } } = {};
  const ABOUT = ['marten', 'wolverine'] as const;

  beforeAll(async () => {
    site = await journey.site({
      '/': page('Start', '<a href="/marten">m</a> <a href="/wolverine">w</a>'),
      '/marten': page('Marten', 'all about the marten, an animal of the forest'),
      '/wolverine': page('Wolverine', 'all about the wolverine, an animal of the forest'),
    });
    service = await startGuarded(journey);
    group = (await crawl(service, `${site.origin}/`, { max_depth: 2 })).id;
    await ended(service, group);
    for (const source of await Array.fromAsync(service.all('/sources'))) {
      const about = ABOUT.find((name) => source.url.endsWith(name));
      if (about === undefined) continue;
      const body = await service.get('/sources/{id}/contents', { path: { id: source.id } });
      ids[about] = { source: source.id, content: body.contents[0]!.id };
      const records = [{ key: 'department', val: about === 'marten' ? 'sales' : 'legal' }];
      const labelled = await service.api('PUT', `/sources/${source.id}/metadata`, { records });
      await service.api('GET', '/sources', undefined, after(labelled));
    }
  }, 120_000);

  /** What every read answers on behalf of a principal: which of the two documents it is about. */
  const seenBy = async (asked: { readonly [name: string]: string }): Promise<Record<string, unknown>> => {
    const query = new URLSearchParams(asked).toString();
    const about = (body: unknown): readonly string[] =>
      ABOUT.filter((name) => JSON.stringify(body).toLowerCase().includes(name));
    const get = async (path: string) => service.api('GET', `${path}?${query}`);
    const post = async (path: string, body: object) =>
      (await service.api('POST', path, { ...body, ...asked })).body;
    const statuses: { [what: string]: readonly number[] } = {};
    for (const name of ABOUT) {
      const { source, content } = ids[name]!;
      const paths = [`/contents/${content}`, `/sources/${source}`, `/sources/${source}/contents`];
      statuses[name] = (await Promise.all(paths.map(get))).map(({ status }) => status);
      const raw = await fetch(`${service.base}/api/v1/sources/${source}/raw?${query}`, {
        headers: { 'x-api-key': service.key },
      });
      await raw.arrayBuffer();
      statuses[name] = [...statuses[name], raw.status];
    }
    const question = [{ role: 'user', content: 'What is all about an animal of the forest?' }];
    return {
      search: about((await post('/search', { query: 'animal forest' })).results),
      query: about((await post('/query', {})).contents),
      sources: about((await get('/sources')).body.sources),
      completion: about((await post('/completions', { messages: question })).choices),
      counted: (await get(`/source-groups/${group}`)).body.source_count ?? 'unseen',
      groups: (await get('/source-groups')).body.source_groups.length,
      ...statuses,
    };
  };
  const OK = [200, 200, 200, 200];
  const NO = [404, 404, 404, 404];

  it('lets every read see what the policy allows the principal, from the answer of a change on', async () => {
    expect(await seenBy({})).toMatchObject({ query: ABOUT, sources: ABOUT, marten: OK, wolverine: OK });
    const made = await service.api('POST', '/authz-policies', { name: 'mine', ...MINE });
    expect(made.status).toBe(201);
    const nothing = {
      search: [],
      query: [],
      sources: [],
      completion: [],
      counted: 'unseen',
      groups: 0,
      marten: NO,
      wolverine: NO,
    };
    expect(await seenBy({ authz_policy: 'mine', principal_id: 'jo' })).toEqual(nothing);
    const path = '/authz-subject-attributes/jo';
    const set = (attributes: object) => service.api('PUT', path, { authz_policy: 'mine', attributes });
    expect((await set({ department: 'sales' })).status).toBe(200);
    const only = ['marten'];
    const part = {
      search: only,
      query: only,
      sources: only,
      completion: only,
      counted: 1,
      groups: 1,
      marten: OK,
    };
    expect(await seenBy({ authz_policy: 'mine', principal_id: 'jo' })).toEqual({ ...part, wolverine: NO });
    expect(await seenBy({ authz_policy: 'mine' })).toEqual(nothing);
    expect((await set({ department: ['sales', 'legal'] })).status).toBe(200);
    expect(await seenBy({ authz_policy: 'mine', principal_id: 'jo' })).toMatchObject({
      marten: OK,
      wolverine: OK,
    });
    expect((await service.api('DELETE', path)).status).toBe(200);
    expect(await seenBy({ authz_policy: 'mine', principal_id: 'jo' })).toEqual(nothing);
  });
});
