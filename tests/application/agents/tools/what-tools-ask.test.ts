import { describe, expect, it } from 'vitest';
import { linksFrom } from '../../../../application/agents/tools/links.ts';
import { withoutSettled } from '../../../../application/agents/tools/principal-arguments.ts';
import { AGENT, NOBODY_LEAVES, toolsOver, uuid } from './knowledge-tools.ts';

const refusal = async (name: string, args: unknown): Promise<string> => {
  const { call } = toolsOver();
  const error: unknown = await call(name, args).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_request' });
  return (error as Error).message;
};

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

  it('is by conditions on documents and on passages, each by its own name', async () => {
    const { call, asked } = toolsOver();
    const raw = { filters: [{ key: 'team', operator: 'eq', val: 'a' }] };
    await call('search', { query: 'x', source_metadata: raw });
    expect(asked).toMatchObject([[{ filter: { onSources: [{ name: 'source_metadata', raw }] } }, {}]]);
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

  it('is an address as it is stored where no other is told', async () => {
    const { call, asked } = toolsOver();
    const { contents } = await call('list_sources', { url: '/v1/files/a' });
    expect(asked).toEqual([[{ url: '/v1/files/a' }, { limit: 20 }, {}]]);
    expect(contents).toEqual([]);
  });

  it('is a content by its id in small letters', async () => {
    const { call, asked } = toolsOver();
    const id = uuid(10).replace('1', 'a');
    const { structured, contents, text } = await call('get_content', { id: id.toUpperCase() });
    expect(asked).toEqual([[id, {}]]);
    expect(contents).toHaveLength(1);
    expect(structured).toMatchObject({ content: { text: 'one' } });
    expect(text).toContain('\none\n');
  });
});

describe('a refusal', () => {
  it('names five problems at the most, and all arguments that there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`wrong${n}`, n]));
    const told = await refusal('status', unknown);
    expect(told).toMatch(/^the arguments of status do not fit: (?:[^;]+; ){4}[^;]+\. It takes: /);
    expect(told).toMatch(/It takes: source_group_id, limit, after, principal_id, authz_policy$/);
  });

  it('is of names that no store can keep, too, and of blank questions by their name', async () => {
    const nul = { filters: [{ 'a\0': 1 }] };
    expect(await refusal('search', { query: 'x', chunk_metadata: nul })).toContain('holds a NUL');
    expect(await refusal('search', { query: 'x\uD800' })).toContain('half of a surrogate pair');
    expect(await refusal('search', { query: ' ' })).toBe('query must not be blank');
    expect(await refusal('ask', { question: ' ' })).toBe('question must not be blank');
    expect(await refusal('search', { query: 'x', chunk_metadata: null })).toContain('chunk_metadata');
  });

  it('is not for what is nested as deep as it may be', async () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    expect(await refusal('search', { query: 'x', chunk_metadata: nested(31) })).toContain('32 levels');
    const { call } = toolsOver();
    const taken = await call('search', { query: 'x', chunk_metadata: nested(30) }).catch(String);
    expect(taken).not.toContain('levels');
  });
});

it('what is not settled stays an argument, also where it is said to be nobody', () => {
  const parameters = { properties: { query: {}, principal_id: {}, authz_policy: {} } };
  const left = (settled: object) => Object.keys(withoutSettled(parameters, settled)['properties'] as object);
  expect(left({ principalId: null, authzPolicy: undefined })).toHaveLength(3);
  expect(left({ authzPolicy: 'strict' })).toEqual(['query', 'principal_id']);
});

it('names of passages say for whom they were found, as far as arguments said it', async () => {
  const uris = async (args: object) => {
    const { text } = await toolsOver({ texts: ['one'] }).call('search', { query: 'x', ...args });
    return /\/contents\/[^?]+(.*)$/.exec(text)![1];
  };
  expect(await uris({})).toBe('');
  expect(await uris({ principal_id: 'jo' })).toBe('?principal_id=jo');
  expect(await uris({ authz_policy: 'strict' })).toBe('?authz_policy=strict');
});

it('the status of one group is asked for by its id in small letters', async () => {
  const { call, asked } = toolsOver();
  const id = uuid(10).replace('1', 'a');
  const { structured } = await call('status', { source_group_id: id.toUpperCase() });
  expect(asked).toEqual([id]);
  expect(structured).toMatchObject({ pagination: { total: 1, has_more: false, limit: 20 } });
});
