import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import { linksFrom } from '../../../../application/agents/tools/links.ts';
import { SCOPES } from '../../../../domain/api-key/decider.ts';
import { AGENT, GROUP, NOBODY_LEAVES, callerWith, toolsOver, uuid } from './knowledge-tools.ts';
import { describe, expect, it } from 'vitest';

const ARGUMENTS: readonly (readonly [name: string, args: object])[] = [
  ['search', { query: 'wolverine' }],
  ['ask', { question: 'What is a wolverine?' }],
  ['get_content', { id: uuid(1) }],
  ['list_sources', {}],
  ['status', {}],
  ['status', { source_group_id: GROUP }],
];

describe('the tools of the knowledge base', () => {
  it.each([
    [['knowledge:read'], ['search', 'get_content', 'list_sources', 'status']],
    [['inference:run'], ['ask']],
    [
      ['inference:run', 'knowledge:read'],
      ['search', 'ask', 'get_content', 'list_sources', 'status'],
    ],
    [['ingestion:manage', 'apikeys:issue', 'audit:read', 'authz:grant', 'knowledge:write'], []],
  ] as const)('are for a key with %j: %j', (scopes, names) => {
    const { tools } = toolsOver();
    const allowed = tools({ scopes, sourceGroupIds: null });
    expect(allowed.map(({ name }) => name)).toEqual(names);
  });

  it('have no argument for what the connection has settled', () => {
    const { tools } = toolsOver();
    const { grant } = AGENT.caller;
    const offered = (settled: Parameters<typeof tools>[1]) =>
      tools(grant, settled).map(({ parameters }) =>
        ['principal_id', 'authz_policy'].filter((name) =>
          Object.hasOwn(parameters['properties'] as object, name),
        ),
      );
    const every = (names: readonly string[]) => Array.from({ length: 5 }, () => names);
    expect(offered({})).toEqual(every(['principal_id', 'authz_policy']));
    expect(offered({ principalId: 'ada' })).toEqual(every(['authz_policy']));
    expect(offered({ principalId: 'ada', authzPolicy: 'readers' })).toEqual(every([]));
  });

  it.each(ARGUMENTS)('answer as they say: %s %j', async (name, args) => {
    const { tool, call } = toolsOver();
    const by = { ...AGENT, caller: callerWith(...SCOPES) };
    const { structured } = await call(name, args, by);
    expect(schemaCompiler.compile(tool(name).result)(structured)).toEqual([]);
  });

  it.each(ARGUMENTS)('refuse what they do not know and say what they do: %s', async (name, args) => {
    const { call, asked } = toolsOver();
    const refused = call(name, { ...args, hurry: true });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(refused).rejects.toThrow(/"hurry".* It accepts: \w+/);
    expect(asked).toEqual([]);
  });

  it.each([
    ['search', {}, 'query'],
    ['search', undefined, 'query'],
    ['search', { query: ' \n' }, 'blank'],
    ['search', { query: 'x'.repeat(4001) }, 'query may have at most 4000'],
    ['search', { query: 'x', limit: 51 }, 'limit must be at most 50'],
    ['search', { query: 'x', limit: '5' }, 'limit must be a whole number'],
    ['search', { query: 'x\0' }, 'NUL'],
    ['search', { query: 'x', source_metadata: { filters: ['\ud800'] } }, 'surrogate'],
    ['search', { query: 'x', mode: 'psychic' }, 'hybrid'],
    ['search', { query: 'x', source_group_ids: [`urn:uuid:${GROUP}`] }, 'source_group_ids'],
    ['search', ['wolverine'], 'must be an object'],
    ['search', 'wolverine', 'must be an object'],
    ['ask', { question: '' }, 'question'],
    ['ask', { question: '   ' }, 'blank'],
    ['ask', { question: 'x', conversation_id: 'last' }, 'conversation_id must be a UUID'],
    ['get_content', { id: '1' }, 'id must be a UUID'],
    ['list_sources', { limit: 0 }, 'limit must be at least 1'],
    ['list_sources', { source_type: 'dream' }, 'crawl'],
    ['status', { source_group_id: 7 }, 'source_group_id must be a string'],
  ])('refuse arguments that do not fit: %s %j', async (name, args, why) => {
    const { call, asked } = toolsOver();
    const refused = call(name, args);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(refused).rejects.toThrow(why);
    expect(asked).toEqual([]);
  });

  it('refuse filters that say nothing as what they are', async () => {
    const refused = toolsOver().call('search', { query: 'x', date_from: 2, date_to: 1 });
    await expect(refused).rejects.toMatchObject({ code: 'filter_invalid' });
  });

  it('refuse arguments that are nested too deep, before anything walks them', async () => {
    let deep: object = {};
    for (let level = 0; level < 40; level += 1) deep = { groups: [deep] };
    const refused = toolsOver().call('search', { query: 'x', chunk_metadata: deep });
    await expect(refused).rejects.toThrow('nested deeper than 32 levels');
  });
});

describe('what a tool asks of the operation behind it', () => {
  it('is what its arguments say, in the names of the program', async () => {
    const { call, asked } = toolsOver();
    const chunks = { filters: [{ key: 'page_number', operator: 'eq', val: 3 }] };
    await call('search', {
      query: 'x',
      limit: 3,
      source_group_ids: [GROUP.toUpperCase()],
      file_types: ['pdf'],
      date_to: 9,
      chunk_metadata: chunks,
    });
    const filter = {
      tags: { names: [], ids: [], logic: 'OR' },
      sourceGroupIds: [GROUP],
      fileTypes: ['pdf'],
      dateTo: 9,
      onChunks: [{ name: 'chunk_metadata', raw: chunks }],
    };
    const plain = { query: 'x', mode: 'hybrid', limit: 3, rerank: false, usePostfilter: false, filter };
    const wanted = { ...plain, collapse: 'source', syntax: true };
    expect(asked).toStrictEqual([[wanted, {}]]);
  });

  it('is asked on behalf of the principal of the arguments, where they may name one', async () => {
    const { call, asked } = toolsOver();
    await call('search', { query: 'x', principal_id: 'ada', authz_policy: 'strict' });
    await call('ask', { question: 'x', principal_id: 'ada', authz_policy: 'strict' });
    expect(asked).toMatchObject([
      [{}, { principalId: 'ada', authzPolicy: 'strict' }],
      { principalId: 'ada', authzPolicy: 'strict' },
    ]);
  });

  it('is asked on behalf of the principal that the caller has settled, whatever arguments say', async () => {
    const by = { ...AGENT, onBehalfOf: { principalId: 'ada' } };
    const { call, asked } = toolsOver();
    await expect(call('search', { query: 'x', principal_id: 'bob' }, by)).rejects.toThrow('settled');
    await call('get_content', { id: uuid(1).toUpperCase() }, by);
    await call('get_content', { id: uuid(1), principal_id: 'ada' }, by);
    expect(asked).toEqual([
      [uuid(1), { principalId: 'ada' }],
      [uuid(1), { principalId: 'ada' }],
    ]);
  });
});

describe('what the operation behind a tool is asked', () => {
  it('is a question alone, cited, and without the web', async () => {
    const { call, asked } = toolsOver();
    await call('ask', { question: 'x', file_types: ['pdf'] });
    await call('ask', { question: 'x', conversation_id: uuid(10).replace('1', 'A') });
    const whole = {
      messages: [{ role: 'user', content: 'x' }],
      citation: true,
      grounding: false,
      limit: 8,
      usePostfilter: false,
      filter: { tags: { names: [], ids: [], logic: 'OR' } },
      truncation: 'auto',
      principalId: null,
      regenerate: false,
    };
    expect(asked).toMatchObject([
      { ...whole, filter: { fileTypes: ['pdf'] } },
      { ...whole, conversationId: uuid(10).replace('1', 'a') },
    ]);
    expect(Object.keys(asked[0] as object).toSorted()).toEqual(Object.keys(whole).toSorted());
  });

  it('is a list with no condition but those that were given', async () => {
    const { call, asked } = toolsOver();
    const links = linksFrom('https://k.example');
    const more = { ...NOBODY_LEAVES, links };
    await call('list_sources', {});
    const group = uuid(10).replace('1', 'A');
    const given = { source_type: 'crawl', file_type: 'pdf', url: 'https://k.example/v1/files/a' };
    const page = { limit: 3, after: group };
    await call('list_sources', { ...given, ...page, source_group_id: group }, AGENT, more);
    const id = group.toLowerCase();
    const filter = { sourceGroupId: id, sourceType: 'crawl', fileType: 'pdf', url: '/v1/files/a' };
    expect(asked).toStrictEqual([
      [{}, { limit: 20 }, {}],
      [filter, { limit: 3, after: id }, {}],
    ]);
  });
});
