import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, withKey } from '../support/client.ts';
import { crawl, emptyGroup, ended, gone } from '../support/crawls.ts';
import { eventually } from '../support/eventually.ts';
import { issued } from '../support/keys.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { manyPages, type Site } from '../support/site.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
type Body = any;

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  site = await journey.site(manyPages(5));
  service = await journey.tenant();
}, 120_000);

/** A record and its list as they were shown right after a write. */
interface Shown {
  readonly position: string;
  readonly record: Answer;
  readonly list: Answer | null;
}

/** Records as they are shown after each write of a history. */
const watch = (recordPath: string, listPath: string | null) => {
  const shown: Shown[] = [];
  const look = async ({ headers }: Pick<Answer, 'headers'>): Promise<void> => {
    const position = headers.get('x-position')!;
    const at = { 'x-min-position': position };
    const list = listPath === null ? null : await service.api('GET', listPath, undefined, at);
    shown.push({ position, record: await service.api('GET', recordPath, undefined, at), list });
  };
  const rewound = async (path: string, position: string) => {
    const mark = path.includes('?') ? '&' : '?';
    const { status, body } = await service.api('GET', `${path}${mark}as_of=${position}`);
    return { status, body: withoutDeletions(body) };
  };
  const expectSame = async (): Promise<void> => {
    for (const { position, record, list } of shown) {
      expect(await rewound(recordPath, position)).toEqual({
        status: record.status,
        body: withoutDeletions(record.body),
      });
      if (listPath === null || list === null) continue;
      expect(await rewound(listPath, position)).toEqual({
        status: list.status,
        body: withoutDeletions(list.body),
      });
    }
  };
  return { look, expectSame };
};

type Write = readonly [method: string, below: string, body?: object];
/** The path of a list, a body that creates a record, and what is written to it then. */
type History = readonly [
  list: string,
  create: object | null,
  steps: { readonly path?: string; readonly writes: readonly Write[] },
];

const FILTER = { filters: [{ key: 'department', operator: 'eq', val: 'law' }] };
const RULES = { rules: [{ name: 'email', kind: 'email' }], applies_to: ['content'] };
const HISTORIES: readonly History[] = [
  [
    '/secrets',
    { name: 'Host', type: 'token', value: 'one-value' },
    {
      writes: [
        ['PUT', '', { name: 'Host 2' }],
        ['PUT', '', { value: 'other' }],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/webhooks',
    { url: 'https://example.com/hook', types: ['TagCreated'] },
    {
      writes: [
        ['PUT', '', { description: 'Ours', types: ['TagDeleted'] }],
        ['PUT', '', { enabled: false }],
        ['POST', '/rotate-secret'],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/tags',
    { name: 'rewound', description: 'a' },
    {
      writes: [
        ['PUT', '', { name: 'renamed' }],
        ['PUT', '', { description: '' }],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/api-keys',
    { name: 'Reader', scopes: ['knowledge:read'] },
    {
      writes: [
        ['POST', '/rotate'],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/redaction-policies',
    { name: 'Mails', ...RULES },
    {
      writes: [
        ['PUT', '', { ...RULES, name: 'Mail' }],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/authz-policies',
    { name: 'lawyers', source_metadata: FILTER },
    {
      writes: [
        ['PUT', '', { description: 'all' }],
        ['DELETE', ''],
      ],
    },
  ],
  [
    '/authz-policies',
    null,
    {
      path: '/authz-policies/default',
      writes: [
        ['PUT', '', {}],
        ['PUT', '', { description: 'all' }],
        ['DELETE', ''],
        ['PUT', '', {}],
      ],
    },
  ],
  [
    '/authz-subject-attributes',
    null,
    {
      path: '/authz-subject-attributes/jo@example.com',
      writes: [
        ['PUT', '', { authz_policy: 'default', attributes: { a: 1 } }],
        ['DELETE', ''],
        ['PUT', '', { authz_policy: 'default', attributes: { a: 2 } }],
      ],
    },
  ],
];

/** Without what only the past tells, or only the present. */
const withoutDeletions = (body: Body): Body =>
  JSON.parse(JSON.stringify(body, (name, value) => (ONLY_SOMETIMES.has(name) ? undefined : value)));
const ONLY_SOMETIMES: ReadonlySet<string> = new Set(['deleted_at', 'content_count', 'last_used_time']);

describe('a record as of a moment', { timeout: 180_000 }, () => {
  it('is what it was after each write: a crawl and its setting', async () => {
    const made = await crawl(service, `${site.origin}/`, { name: 'First' });
    await ended(service, made.id);
    const path = `/crawls/${made.id}`;
    const setting = `/crawl-settings/${made.ingestion_setting_id}`;
    const [ofCrawl, ofSetting] = [watch(path, '/crawls?name=sEC'), watch(setting, null)];
    for (const change of [{ name: 'Second' }, { rrule: 'FREQ=DAILY' }, { max_depth: 3 }, { rrule: null }]) {
      const changed = await service.api('PUT', setting, change);
      await Promise.all([ofCrawl.look(changed), ofSetting.look(changed)]);
    }
    // Not a whole second, which would mean its end.
    const before = new Date(2 * Math.floor(Date.now() / 2) + 1).toISOString();
    const deleted = await service.api('DELETE', path);
    await gone(service, made.id);
    await ofCrawl.expectSame();
    await ofSetting.expectSame();

    const then = await service.api('GET', `${path}?as_of=${before}`);
    expect(then.body).toMatchObject({
      name: expect.any(String),
      status: 'success',
      deleted_at: expect.any(Number),
    });
    expect((await service.api('GET', `${setting}?as_of=${before}`)).body).toHaveProperty('deleted_at');
    expect((await service.api('GET', `${path}?as_of=${deleted.headers.get('x-position')}`)).body.status).toBe(
      'deleting',
    );
    const now = new Date().toISOString();
    expect((await service.api('GET', `${path}?as_of=${now}`)).status).toBe(404);
  });

  it('is what it was after each write: a source group with its sources and tags', async () => {
    const empty = await crawl(service, 'https://nothing.invalid/', { name: 'Empty' });
    const made = await crawl(service, `${site.origin}/`, { name: 'Grouped' });
    await ended(service, made.id);
    await ended(service, empty.id);
    const path = `/source-groups/${made.id}`;
    const watched = watch(path, '/source-groups?limit=2');
    const write = async (...asked: Parameters<typeof service.api>): Promise<Answer> => {
      const written = await service.api(...asked);
      expect(written.status).toBeLessThan(300);
      await watched.look(written);
      return written;
    };
    await write('PUT', path, { name: 'Renamed' });
    const bound = [];
    for (const name of ['unbound', 'deleted', 'kept']) {
      const { body: tag } = await write('POST', '/tags', { name });
      const to = { tag_id: tag.id, source_group_id: made.id };
      bound.push((await write('POST', '/tag-source-groups', to)).body);
    }
    await write('DELETE', `/tag-source-groups/${bound[0].id}`);
    const body = await service.get('/sources', { query: { source_group_id: made.id } });
    const removed = await write('DELETE', `/sources/${body.sources[0]!.id}`);
    await write('DELETE', `/tags/${bound[1].tag_id}`);
    await write('DELETE', `/crawls/${made.id}`);
    await gone(service, made.id);
    await watched.expectSame();
    const then = await service.api('GET', `${path}?as_of=${removed.headers.get('x-position')}`);
    expect(then.body).toMatchObject({
      name: 'Renamed',
      source_count: body.sources.length - 1,
      tag_ids: [bound[1].tag_id, bound[2].tag_id],
      deleted_at: expect.any(Number),
    });
    const listed = async (filter: string): Promise<readonly string[]> => {
      const at = `as_of=${removed.headers.get('x-position')}`;
      const { body: found } = await service.api('GET', `/source-groups?${filter}&${at}`);
      return found.source_groups.map(({ id }: Body) => id);
    };
    expect(await listed('name=rEN&status=success&source_type=crawl')).toEqual([made.id]);
    expect(await listed(`id=${made.id}`)).toEqual([made.id]);
    for (const none of ['name=Gro', 'status=deleting', 'source_type=wiki', `id=${crypto.randomUUID()}`])
      expect(await listed(none)).not.toContain(made.id);
    const { changes } = (await service.api('GET', `${path}/changes?limit=100`)).body;
    const changed = changes.flatMap(({ fields }: Body) => fields.map(({ path: at }: Body) => at));
    expect(changed).toContain('/name');
    expect(changed).not.toContain('/source_count');
  });

  it.each(HISTORIES)('is what it was after each write, as is the list: %s', async (list, create, steps) => {
    const made = create === null ? null : await service.api('POST', list, create);
    expect(made?.status ?? 201).toBe(201);
    const { path = `${list}/${made?.body.id ?? made?.body.name}`, writes } = steps;
    const watched = watch(path, `${list}?limit=2`);
    if (made !== null) await watched.look(made);
    for (const [method, below, body] of writes) {
      const written = await service.api(method, `${path}${below}`, body);
      expect(written.status).toBeLessThan(300);
      await watched.look(written);
    }
    await watched.expectSame();
  });

  it('of a tag counts the source groups of then, also of those that are being deleted since', async () => {
    const { id: group } = await crawl(service, 'https://nothing.invalid/');
    const tag = await service.post('/tags', { body: { name: 'counted' } });
    const [ofTag, ofGone] = [watch(`/tags/${tag.id}`, '/tags'), watch('/tags', null)];
    const binding = await service.api('POST', '/tag-source-groups', {
      tag_id: tag.id,
      source_group_id: group,
    });
    const ofBinding = watch(`/tag-source-groups/${binding.body.id}`, '/tag-source-groups');
    const looks = async (answer: Answer): Promise<void> => {
      for (const { look } of [ofTag, ofGone, ofBinding]) await look(answer);
    };
    await looks(binding);
    await looks(await service.api('DELETE', `/crawls/${group}`));
    await looks(await service.api('DELETE', `/tags/${tag.id}`));
    for (const { expectSame } of [ofTag, ofGone, ofBinding]) await expectSame();
    const then = `as_of=${binding.headers.get('x-position')}`;
    const tagThen = (await service.api('GET', `/tags/${tag.id}?${then}`)).body;
    expect(tagThen).toMatchObject({ source_group_count: 1, deleted_at: expect.any(Number) });
    const bindingThen = await service.api('GET', `/tag-source-groups/${binding.body.id}?${then}`);
    expect(bindingThen.body).toHaveProperty('deleted_at');
  });

  it('is not found before its first event, and refused in the future and where there is no moment', async () => {
    const { id, creation_time: created } = await crawl(service, 'https://nothing.invalid/');
    const asOf = async (moment: string | number): Promise<Answer> =>
      service.api('GET', `/crawls/${id}?as_of=${encodeURIComponent(moment)}`);
    expect((await asOf(created - 60)).status).toBe(404);
    expect((await asOf('2000-01-01T00:00:00+02:00')).status).toBe(404);
    for (const future of [created + 3600, '2999-01-01T00:00:00Z', '9'.repeat(11)])
      expect(await asOf(future)).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request', message: expect.stringContaining('future') } },
      });
    for (const none of ['yesterday', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '-1', 'x', ''])
      expect(await asOf(none)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } });
  });

  it('of a source has the metadata, the status and the title of then, also after its removal', async () => {
    const made = await crawl(service, `${site.origin}/`);
    await ended(service, made.id);
    const list = `/sources?source_group_id=${made.id}`;
    const { body } = await service.api('GET', list);
    const [source] = body.sources;
    const path = `/sources/${source.id}`;
    const [ofSource, ofList] = [watch(path, null), watch(list, null)];
    const metadata = (val: string) => ({ records: [{ key: 'team', val, type: 'string' }] });
    for (const [method, below, sent] of [
      ['PUT', '/metadata', metadata('a')],
      ['PUT', '/metadata', metadata('b')],
      ['DELETE', '/metadata', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const written = await service.api(method, path + below, sent);
      await ofSource.look(written);
      await ofList.look(written);
    }
    await ofSource.expectSame();
    await ofList.expectSame();
    const changes = (await service.api('GET', `${path}/changes`)).body.changes;
    const fields = changes.flatMap((one: Body) => one.fields.map(({ path: at }: Body) => at));
    expect(fields).toContain('/metadata/records/0/val');
    expect(fields.at(-1)).toBe('');

    const then = changes[0].position;
    expect((await service.api('GET', `${path}?as_of=${then}`)).body).toMatchObject({
      title: source.title,
      sha256: source.sha256,
      deleted_at: expect.any(Number),
    });
    const isListed = async (filter: string) =>
      (await service.api('GET', `${list}&as_of=${then}&${filter}`)).body.sources.some(
        ({ id }: Body) => id === source.id,
      );
    const part = encodeURIComponent(source.title.toUpperCase().slice(1));
    expect([
      await isListed(`contains=${part}`),
      await isListed(`contains=${part}x`),
      await isListed('status=indexed'),
      await isListed('status=failed,skipped'),
    ]).toEqual([true, false, true, false]);
    expect(await service.api('GET', `${list}&as_of=${then}&sort=title`)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('leave out sort') } },
    });
    const elsewhere = await issued(service, { source_group_ids: [await emptyGroup(service)] });
    const stranger = withKey(service, elsewhere.key);
    expect((await stranger.api('GET', `${path}?as_of=${then}`)).status).toBe(404);
    expect((await stranger.api('GET', `${list}&as_of=${then}`)).body.sources).toEqual([]);
  });

  it('of what people said has no texts once its key is destroyed, and says so', async () => {
    const messages = [{ role: 'user', content: 'Which page is the first?' }];
    const said = await service.api('POST', '/completions', { messages });
    expect(said.status).toBe(200);
    const path = `/conversations/${said.body.conversation_id}`;
    const before = await service.api('GET', path);
    const { events } = await service.get('/events', { query: { order: 'desc', limit: 1 } });
    const then = `as_of=${events[0]!.position}`;
    expect((await service.api('GET', `${path}?${then}`)).body).toEqual(before.body);
    expect((await service.api('GET', `/conversations?${then}`)).body.conversations).toContainEqual(
      expect.objectContaining({ id: before.body.id }),
    );
    await service.api('DELETE', path);
    const erased = (await service.api('GET', `${path}?${then}`)).body;
    expect(erased).toMatchObject({ id: before.body.id, erased: true, deleted_at: expect.any(Number) });
    expect(JSON.stringify(erased)).not.toContain('first?');
    expect(erased.messages).toHaveLength(before.body.messages.length);
    expect((await service.api('GET', `${path}/changes`)).body.changes.at(-1).type).toBe(
      'ConversationDeleted',
    );
  });

  it('of a thread and its runs has their states of then, and no texts once the thread is deleted', async () => {
    const input = { messages: [{ role: 'user', content: 'Which page is the last?' }] };
    const made = await service.api('POST', '/agent/runs', { workflow_type: 'chat', title: 'A title', input });
    expect(made.status).toBe(202);
    const { run_id: run, thread_id: thread } = made.body;
    const over = ['SUCCEEDED', 'FAILED', 'CANCELLED'];
    const isOver = ({ body }: Answer): boolean => over.includes(body.status);
    await eventually(() => service.api('GET', `/agent/runs/${run}`), isOver, 'the run');
    const { changes } = await service.get('/agent/runs/{run_id}/changes', { path: { run_id: run } });
    const statuses = changes.flatMap(({ fields }) => fields.filter(({ path }) => path === '/status'));
    expect(changes[0]!.fields[0]!.after).toMatchObject({ status: 'QUEUED' });
    expect(statuses.at(-1)!.after).toBe(
      (await service.get('/agent/runs/{run_id}', { path: { run_id: run } })).status,
    );
    const paths = [
      `/agent/runs/${run}`,
      `/agent/threads/${thread}`,
      `/agent/runs?thread_id=${thread}`,
      '/agent/threads',
    ];
    const position = changes.at(-1)!.position;
    const now = await Promise.all(paths.map((path) => service.api('GET', path)));
    const past = (path: string) =>
      service.api('GET', `${path}${path.includes('?') ? '&' : '?'}as_of=${position}`);
    const then = await Promise.all(paths.map(past));
    expect(then.map(({ body }) => body)).toEqual(now.map(({ body }) => body));
    await service.delete('/agent/threads/{thread_id}', { path: { thread_id: thread } });
    const [runThen, treeThen, runsThen, threadsThen] = (await Promise.all(paths.map(past))).map(
      ({ body }) => body,
    );
    const mark = { erased: true, deleted_at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(runThen).toMatchObject({ run_id: run, status: now[0]!.body.status, ...mark });
    expect(treeThen).toMatchObject({ thread_id: thread, ...mark });
    expect(runsThen.runs).toMatchObject([{ run_id: run, ...mark }]);
    expect(threadsThen.threads).toMatchObject([{ thread_id: thread, title: null, ...mark }]);
    expect(JSON.stringify([runThen, treeThen])).not.toMatch(/last\?|A title/);
  });

  it('is for records alone: contents have no history', async () => {
    const refused = {
      status: 400,
      body: { error: { type: 'invalid_request', message: expect.stringContaining('no history') } },
    };
    const moment = '2026-01-01T00:00:00Z';
    expect(await service.api('POST', '/search', { query: 'page', as_of: moment })).toMatchObject(refused);
    expect(await service.api('POST', `/search?as_of=${moment}`, { query: 'page' })).toMatchObject(refused);
    const messages = [{ role: 'user', content: 'What?' }];
    expect(await service.api('POST', '/completions', { messages, as_of: moment })).toMatchObject(refused);
    const content = '/contents/0199d2a0-0000-7000-8000-000000000001';
    expect(await service.api('GET', `${content}?as_of=${moment}`)).toMatchObject(refused);
  });
});

describe('the changes of a record', { timeout: 180_000 }, () => {
  const changesOf = async (path: string, limit = 100): Promise<Body[]> => {
    const changes: Body[] = [];
    for (let after = ''; ;) {
      const query = `limit=${limit}${after === '' ? '' : `&after=${after}`}`;
      const { status, body } = await service.api('GET', `${path}/changes?${query}`);
      expect(status).toBe(200);
      changes.push(...body.changes);
      if (!body.pagination.has_more) return changes;
      after = body.pagination.next_id;
    }
  };

  it('tell field by field what was before and after, by whom and in which trace, also after its end', async () => {
    const traceId = 'c'.repeat(32);
    const tag = await service.post('/tags', { body: { name: 'a', description: 'as/it~was' } });
    const path = `/tags/${tag.id}`;
    const traced = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    await service.api('PUT', path, { name: 'b' }, traced);
    await service.api('DELETE', path);
    const actor = { kind: 'api_key', id: expect.any(String) };
    const [created, renamed, deleted, ...none] = await changesOf(path);
    expect(none).toEqual([]);
    expect(created).toMatchObject({ type: 'TagCreated', actor, fields: [{ path: '', after: tag }] });
    expect(renamed).toMatchObject({ type: 'TagChanged', actor, trace_id: traceId });
    expect(renamed.fields).toEqual([{ path: '/name', before: 'a', after: 'b' }]);
    expect(deleted.fields).toEqual([{ path: '', before: { ...tag, name: 'b' } }]);
    expect(await changesOf(path, 1)).toEqual([created, renamed, deleted]);
    expect(
      (await service.get('/tags/{id}', { path: { id: tag.id }, query: { as_of: renamed.position } })).name,
    ).toBe('b');
  });

  it('of a crawl lie in its own stream and in that of its setting, and add up to the record', async () => {
    const made = await crawl(service, `${site.origin}/`, { name: 'One' });
    await ended(service, made.id);
    const setting = `/crawl-settings/${made.ingestion_setting_id}`;
    await service.api('PUT', setting, { name: 'Two' });
    const path = `/crawls/${made.id}`;
    const changes = await changesOf(path, 3);
    const renamed = changes.find(({ type }) => type === 'IngestionSettingRenamed');
    expect(renamed.fields).toEqual([{ path: '/name', before: 'One', after: 'Two' }]);
    const positions: string[] = changes.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => (a < b ? -1 : 1)));
    const statuses = changes.flatMap(({ fields }) => fields.filter((one: Body) => one.path === '/status'));
    expect(statuses.at(-1)).toMatchObject({ after: 'success' });
    await service.api('DELETE', path);
    await gone(service, made.id);
    const all = await changesOf(path);
    expect(all.slice(0, changes.length)).toEqual(changes);
    expect(all.at(-1).fields).toEqual([
      { path: '', before: expect.objectContaining({ status: 'deleting' }) },
    ]);
    expect((await changesOf(setting)).map(({ type }) => type)).toContain('IngestionSettingRenamed');
  });

  it('are hidden from whom the record is hidden', async () => {
    const { id } = await crawl(service, 'https://nothing.invalid/');
    const stranger = await journey.tenant();
    await expect(stranger.get('/crawls/{id}/changes', { path: { id } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await expect(
      stranger.get('/crawls/{id}', { path: { id }, query: { as_of: String(Math.floor(Date.now() / 1000)) } }),
    ).rejects.toMatchObject({ type: 'not_found' });
    await expect(service.get('/repos/{id}/changes', { path: { id } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await expect(
      service.get('/crawls/{id}/changes', { path: { id }, query: { after: 'x y' } }),
    ).rejects.toMatchObject({ type: 'invalid_cursor' });
  });
});
