import { beforeAll, describe, expect, it } from 'vitest';
import { after, MINE, startGuarded } from '../support/authz.ts';
import { all, crawl, ended } from '../support/crawls.ts';
import { type ModelProvider, openModelProvider, says } from '../support/model-provider.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
let provider: ModelProvider;
/** The source and the content about each. */
const ids: { [about: string]: { readonly source: string; readonly content: string } } = {};
const JO = { authz_policy: 'mine', principal_id: 'jo' };

beforeAll(async () => {
  provider = await openModelProvider();
  site = await journey.site({
    '/': page('Start', '<a href="/marten">m</a> <a href="/wolverine">w</a>'),
    '/marten': page('Marten', 'all about the marten, an animal of the forest'),
    '/wolverine': page('Wolverine', 'all about the wolverine, an animal of the forest'),
  });
  service = await startGuarded(journey, { LLM_URL: provider.baseUrl, LLM_MODEL: 'stand-in' });
  await ended(service, (await crawl(service, `${site.origin}/`, { max_depth: 2 })).id);
  for (const { id: source, url } of await all(service, '/sources', 'sources')) {
    const about = new URL(url).pathname.slice(1);
    const { body } = await service.api('GET', `/sources/${source}/contents`);
    ids[about] = { source, content: body.contents[0].id };
    const records = [{ key: 'department', val: about === 'marten' ? 'sales' : 'legal' }];
    const labelled = await service.api('PUT', `/sources/${source}/metadata`, { records });
    await service.api('GET', '/sources', undefined, after(labelled));
  }
  await service.api('POST', '/authz-policies', { name: 'mine', ...MINE });
  const attributes = { department: 'sales' };
  const set = await service.api('PUT', '/authz-subject-attributes/jo', {
    authz_policy: JO.authz_policy,
    attributes,
  });
  if (set.status !== 200) throw new Error(`the attributes were answered with ${set.status}`);
}, 120_000);
journey.closing(async () => provider?.close());

const lastPrompt = (): string => JSON.stringify(provider.asked.at(-1)!.body.messages);
const schema = { type: 'object' };
const extract = (more: object) => service.api('POST', '/extract', { schema, ...JO, ...more });

describe('a language model', { timeout: 90_000 }, () => {
  it('is shown what the policy allows the principal, and nothing else', async () => {
    provider.otherwise = says('{"data":{},"passages":[]}');
    const found = await extract({ query: 'an animal of the forest' });
    expect(found.status).toBe(200);
    expect(lastPrompt()).toContain('the marten');
    expect(lastPrompt()).not.toContain('the wolverine');
    provider.otherwise = says('It is an animal [1].');
    const messages = [{ role: 'user', content: 'What is all about an animal of the forest?' }];
    const answered = await service.api('POST', '/completions', { messages, ...JO });
    expect(answered.status).toBe(200);
    expect(lastPrompt()).toContain('the marten');
    expect(lastPrompt()).not.toContain('the wolverine');
  });

  it('is not asked about what the policy denies, named by document or by content', async () => {
    provider.otherwise = says('{"data":{},"passages":[]}');
    const { marten, wolverine } = ids;
    for (const named of [
      { source_ids: [wolverine!.source] },
      { source_ids: [marten!.source, wolverine!.source] },
      { content_ids: [marten!.content, wolverine!.content] },
    ]) {
      const requests = provider.asked.length;
      expect((await extract(named)).status).toBe(404);
      expect(provider.asked).toHaveLength(requests);
      expect((await extract({ ...named, authz_policy: 'default' })).status).toBe(200);
      expect(lastPrompt()).toContain('the wolverine');
    }
  });
});
