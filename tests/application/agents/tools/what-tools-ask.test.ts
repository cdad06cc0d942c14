import { describe, expect, it } from 'vitest';
import { linksFrom } from '../../../../application/agents/tools/links.ts';
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
});

describe('a refusal', () => {
  it('is of names that no store can keep, too, and of blank questions by their name', async () => {
    const nul = { filters: [{ 'a\0': 1 }] };
    expect(await refusal('search', { query: 'x', chunk_metadata: nul })).toContain('holds a NUL');
    expect(await refusal('search', { query: 'x\uD800' })).toContain('half of a surrogate pair');
    expect(await refusal('search', { query: ' ' })).toBe('query must not be blank');
    expect(await refusal('ask', { question: ' ' })).toBe('question must not be blank');
    expect(await refusal('search', { query: 'x', chunk_metadata: null })).toContain('chunk_metadata');
  });
});
