import { beforeAll, describe, expect, it } from 'vitest';
import type { KnowledgerError } from '../../clients/typescript/src/index.ts';
import { done } from '../support/agents.ts';
import { crawl, ended, record, sourcesOf } from '../support/crawls.ts';
import { EXAMPLES } from '../support/kind-examples.ts';
import { KINDS } from '../../adapters/http/data-sources/kinds.ts';
import { type Attempt, attemptsAt, type Belongings } from '../support/isolation.ts';
import { type Client, withKey } from '../support/client.ts';
import { EVERY_SCOPE, issued } from '../support/keys.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { openPush } from '../support/pushes.ts';
import { formOf, uploaded } from '../support/uploads.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
let site: Site;
let other: Site;
let belongings: Belongings;
let attempts: readonly Attempt[];
/** Keys that must see nothing of it: of another tenant, and of this one but restricted to another crawl. */
let strangers: { readonly [who: string]: Client };

/** A data source of each kind that a body alone creates, but for those that the journey makes itself. */
const made = async (secretId: string): Promise<Belongings> => {
  const [ids, texts]: [{ [path: string]: string }, string[]] = [{}, []];
  for (const { kind, path, settingsPath = path, noun, namesSecret } of KINDS) {
    const { create } = EXAMPLES[kind];
    if (create === undefined || kind === 'crawl' || kind === 'push') continue;
    const named = {
      ...create,
      name: `A ${noun} of mine`,
      ...(namesSecret === true && { secret_id: secretId }),
    };
    const { body } = await service.api('POST', path, named);
    Object.assign(ids, { [settingsPath]: body.ingestion_setting_id, [path]: body.id });
    texts.push(body.id, ...Object.values(named).filter((value) => isTelling(value)));
  }
  return { ids, texts };
};

/** Long enough to stand in no answer by chance. */
const isTelling = (value: unknown): value is string => typeof value === 'string' && value.length > 8;

beforeAll(async () => {
  site = await journey.site({ '/': page('Wolverine', 'all about the wolverine') });
  other = await journey.site({ '/': page('Marten', 'all about the marten') });
  service = await journey.tenant();
  const mine = await crawl(service, `${site.origin}/`, { name: 'Mine', rrule: 'FREQ=DAILY' });
  const open = await crawl(service, `${other.origin}/`, { name: 'Open' });
  await Promise.all([ended(service, mine.id), ended(service, open.id)]);
  await record(service, open.id);
  const [source] = await sourcesOf(service, mine.id);
  const body = await service.get('/sources/{id}/contents', { path: { id: source!.id } });
  const tag = await service.post('/tags', { body: { name: 'Tag of mine' } });
  const pair = { tag_id: tag.id, source_group_id: mine.id };
  const binding = await service.post('/tag-source-groups', { body: pair });
  const key = await issued(service, { name: 'Key of mine' });
  const messages = [{ role: 'user', content: 'What is there about the wolverine?' }] as const;
  const { conversation_id: conversationId } = await service.post('/completions', { body: { messages } });
  const run = await done(service, 'What is there about the wolverine?', { title: 'Run of mine' });
  const files = await uploaded(service, [['gulo.txt', 'the wolverine in a file']], { name: 'Files of mine' });
  const secret = { name: 'Secret of mine', type: 'token', value: 'gulo' } as const;
  const of = await service.post('/secrets', { body: secret });
  const others = await made(of.id);
  const push = await openPush(service, 'Feed of mine');
  await push.put('gulo', 'the wolverine as it is pushed');
  belongings = {
    ids: {
      '/crawls': mine.id,
      '/crawl-settings': mine.ingestion_setting_id,
      ...others.ids,
      '/local-file-groups': files,
      '/pushes': push.id,
      '/pushes/jobs': push.jobId,
      '/pushes/sources': 'gulo',
      '/source-groups': push.id,
      '/tags': tag.id,
      '/tag-source-groups': binding.id,
      '/sources': source!.id,
      '/contents': body.contents[0]!.id,
      '/api-keys': key.id,
      '/conversations': conversationId,
      '/agent/runs': run.run_id,
      '/agent/threads': run.thread_id,
    },
    texts: [
      'wolverine',
      'Wolverine',
      site.host,
      '"Mine"',
      'Key of mine',
      'Tag of mine',
      'Files of mine',
      ...others.texts,
      'Feed of mine',
      mine.id,
      files,
      push.id,
      push.jobId,
      source!.id,
      tag.id,
      binding.id,
      key.id,
      conversationId,
      run.run_id,
      run.thread_id,
      'Run of mine',
    ],
  };
  attempts = await attemptsAt(service, belongings);
  const restricted = await issued(service, { scopes: EVERY_SCOPE, source_group_ids: [open.id] });
  strangers = {
    'another tenant': await journey.tenant(),
    'a restricted key': withKey(service, restricted.key),
  };
}, 120_000);

const WHO = ['another tenant', 'a restricted key'];
const withoutId = (text: string): string => text.replaceAll(/[0-9a-f-]{36}/g, 'id');

describe.each(WHO)('%s', { timeout: 180_000 }, (who) => {
  it('is answered for every id as for one that nobody has', async () => {
    const named = attempts.filter(({ nowhere }) => nowhere !== undefined);
    expect(named.length).toBeGreaterThan(15);
    for (const { method, path, nowhere, body } of named) {
      const stranger = strangers[who]!;
      const answer = await stranger.api(method, path, body);
      const none = await stranger.api(method, nowhere!, body);
      const told = [method, path, answer.status, answer.body.error?.type];
      expect(told).toEqual([method, path, 404, 'not_found']);
      expect(withoutId(JSON.stringify(answer.body))).toBe(withoutId(JSON.stringify(none.body)));
    }
  });

  it('can put no file into a group of it, and is told nothing by trying', async () => {
    const told = async (id: string): Promise<string> => {
      const form = formOf({}, [['a.txt', 'mine now']]);
      const sent = strangers[who]!.upload('/local-file-groups/{id}/files', form, { path: { id } });
      const error: KnowledgerError = await sent.then(
        () => expect.fail('it was put'),
        (refused) => refused,
      );
      expect(error.type).toBe('not_found');
      return withoutId(error.message);
    };
    const none = await told('01999999-9999-7999-8999-999999999999');
    expect(await told(belongings.ids['/local-file-groups']!)).toBe(none);
  });

  it('goes on from no run of it, and is told nothing by trying', async () => {
    const { '/agent/threads': thread, '/agent/runs': parent } = belongings.ids;
    const none = '01999999-9999-7999-8999-999999999999';
    const ask = async (at: object) => {
      const input = { messages: [{ role: 'user', content: 'and now?' }] };
      const body = { workflow_type: 'chat', input, ...at };
      const answer = await strangers[who]!.api('POST', '/agent/runs', body);
      return [answer.status, withoutId(JSON.stringify(answer.body))];
    };
    const absent = await ask({ thread_id: none });
    expect(absent[0]).toBe(404);
    expect(await ask({ thread_id: thread })).toEqual(absent);
    expect(await ask({ thread_id: thread, parent_run_id: parent })).toEqual(absent);
    expect(await ask({ thread_id: thread, parent_run_id: null, concurrency: 'enqueue' })).toEqual(absent);
  });

  it('finds nothing of it in any list, search or log', async () => {
    const open = attempts.filter(({ nowhere }) => nowhere === undefined);
    expect(open.length).toBeGreaterThan(4);
    for (const { method, path, body } of open) {
      const { status, body: answer } = await strangers[who]!.api(method, path, body);
      // A restricted key may not ask everything; another tenant is answered as if there were nothing.
      const allowed = who === 'a restricted key' ? [200, 403] : [200];
      expect([method, path, allowed.includes(status)]).toEqual([method, path, true]);
      const text = JSON.stringify(answer);
      expect([method, path, belongings.texts.filter((one) => text.includes(one))]).toEqual([
        method,
        path,
        [],
      ]);
    }
  });

  it('cannot reach it by naming it in a filter', async () => {
    const { '/crawls': group } = belongings.ids;
    const stranger = strangers[who]!;
    const body = await stranger.get('/sources', { query: { source_group_id: group! } });
    expect(body).toMatchObject({ sources: [], pagination: { total: 0 } });
    expect((await stranger.get('/sources', { query: { url: `${site.origin}/` } })).sources).toEqual([]);
    const found = await stranger.post('/search', {
      body: {
        query: 'wolverine',
        domains: ['127.0.0.1'],
      },
    });
    expect(JSON.stringify(found)).not.toContain('olverine');
    for (const by of [{ tags: ['Tag of mine'] }, { tag_ids: [belongings.ids['/tags']] }]) {
      const tagged = await stranger.api('POST', '/query', by);
      expect([tagged.status, tagged.body.pagination.total]).toEqual([200, 0]);
    }
  });

  it('cannot bind it, nor to it, and is told nothing by trying', async () => {
    const { '/tags': tagId, '/source-groups': sourceGroupId } = belongings.ids;
    const none = '01999999-9999-7999-8999-999999999999';
    const bind = async (pair: object) => {
      const { status, body } = await strangers[who]!.api('POST', '/tag-source-groups', pair);
      return [status, withoutId(JSON.stringify(body))];
    };
    const absent = await bind({ tag_id: none, source_group_id: none });
    expect(absent[0]).toBe(404);
    expect(await bind({ tag_id: tagId, source_group_id: sourceGroupId })).toEqual(absent);
    expect(await bind({ tag_id: none, source_group_id: sourceGroupId })).toEqual(absent);
    const [own] = (await strangers[who]!.get('/source-groups')).source_groups;
    if (own === undefined) return;
    const unknown = await bind({ tag_id: none, source_group_id: own.id });
    expect(await bind({ tag_id: tagId, source_group_id: own.id })).toEqual(unknown);
  });

  it('has changed nothing by trying', async () => {
    const body = await service.get('/crawls/{id}', { path: { id: belongings.ids['/crawls']! } });
    expect(body).toMatchObject({ name: 'Mine', status: 'success' });
    const key = await service.get('/api-keys/{id}', { path: { id: belongings.ids['/api-keys']! } });
    expect(key.name).toBe('Key of mine');
    const tag = await service.get('/tags/{id}', { path: { id: belongings.ids['/tags']! } });
    expect([tag.name, tag.source_group_count]).toEqual(['Tag of mine', 1]);
    const push = await service.get('/pushes/{id}', { path: { id: belongings.ids['/pushes']! } });
    expect(push).toMatchObject({ name: 'Feed of mine', status: 'managed' });
    const source = await service.get('/sources/{id}', { path: { id: belongings.ids['/sources']! } });
    expect(source.metadata.records).toEqual([]);
  });
});

describe('a restricted key', { timeout: 180_000 }, () => {
  it('sees all of what it is restricted to, with totals of that alone', async () => {
    const stranger = strangers['a restricted key']!;
    const crawls = await stranger.get('/crawls');
    expect([crawls.pagination.total, crawls.crawls.map(({ name }: { name: string }) => name)]).toEqual([
      1,
      ['Open'],
    ]);
    const sources = await stranger.get('/sources');
    expect([sources.pagination.total, sources.sources[0]!.url]).toEqual([1, `${other.origin}/`]);
    const query = await stranger.post('/query', { body: {} });
    expect(query.pagination.total).toBe(1);
    const search = await stranger.post('/search', { body: { query: 'marten' } });
    expect(search.results).toHaveLength(1);
  });

  it('makes no data source, reads no log, and issues no key that reaches further', async () => {
    const stranger = strangers['a restricted key']!;
    const crawlBody = { name: 'x', start_url: 'https://example.com/', max_depth: 1, max_num_files: 1 };
    const asked = [
      await stranger.api('POST', '/crawls', crawlBody),
      await stranger.api('GET', '/events'),
      await stranger.api('POST', '/api-keys', { name: 'x', scopes: ['knowledge:read'] }),
      await stranger.api('POST', '/api-keys', {
        name: 'x',
        scopes: ['knowledge:read'],
        source_group_ids: [belongings.ids['/crawls']],
      }),
    ];
    expect(asked.map(({ status, body }) => [status, body.error.type])).toEqual(
      asked.map(() => [403, 'key_restricted']),
    );
  });
});
