import { describe, expect, it } from 'vitest';
import { mcpClient, NO_HANDSHAKE, refusalOf, REVISIONS, textOf } from '../../../support/mcp.ts';
import { knowledgeOver } from '../fake-knowledge.ts';
import { content, ID, KEY, OTHER_ID } from '../fake-records.ts';
import { runApp, stopServersAfterAll } from '../running-app.ts';

stopServersAfterAll();
const app = await runApp();
const url = `${app.url}/mcp`;
const NAMES = ['search', 'ask', 'get_content', 'list_sources', 'status'];

describe.each(REVISIONS)('a client of revision %s', (revision, options) => {
  it('agrees on it, and is shown what the key may do', async () => {
    const client = await mcpClient(url, KEY, options);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'knowledger', version: '7.8.9' });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
    expect(client.getInstructions()).toContain('Cite passages by their URIs');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['ask']);
    expect(tools.every(({ annotations }) => annotations?.destructiveHint === false)).toBe(true);
    expect(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
  });

  // The client itself refuses a result that does not fit the schema that the tool was listed with.
  it.each([
    ['search', { query: 'begin' }, { results: [{ content: { id: content.id, text: content.text } }] }],
    ['ask', { question: 'How?' }, { answer: 'It is so [1].', finish_reason: 'stop' }],
    ['get_content', { id: ID }, { content: { id: content.id, uri: `knowledger://contents/${content.id}` } }],
    ['list_sources', { limit: 5 }, { sources: [{}], pagination: { limit: 5, has_more: true, total: 3 } }],
    ['status', {}, { source_groups: [{ status: 'success' }] }],
    ['status', { source_group_id: ID }, { source_groups: [{ job: { progress: {} } }] }],
  ])('is answered by %s %j', async (name, args, answer) => {
    const client = await mcpClient(url, KEY, options);
    await client.listTools();
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject(answer);
    expect(textOf(result)).not.toBe('');
  });

  it('reads what is cited by the name that it is cited by', async () => {
    const client = await mcpClient(url, KEY, options);
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: 'x' } });
    const [{ content: found }] = (structuredContent as { results: [{ content: { uri: string } }] }).results;
    const { contents } = await client.readResource({ uri: found.uri });
    expect(contents).toMatchObject([{ uri: found.uri, mimeType: 'text/plain', text: content.text }]);
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: found.uri, name: content.id, title: content.title }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'knowledger://contents/{id}{?principal_id,authz_policy}',
    ]);
  });

  it.each([
    ['search', {}, 'invalid_request: .*"query"'],
    ['search', { query: 'x', mode: 'vector' }, 'not_configured: no embedding provider'],
    ['get_content', { id: OTHER_ID.replace('0', 'f') }, 'not_found: there is no such thing'],
  ])('is told in the result what is wrong with a call: %s %j', async (name, args, why) => {
    const client = await mcpClient(url, KEY, options);
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(new RegExp(`^${why}`));
  });

  it('is told by the protocol of what there is not', async () => {
    const client = await mcpClient(url, KEY, options);
    const unknown = client.callTool({ name: 'delete_everything', arguments: {} });
    expect(await refusalOf(unknown)).toEqual({
      code: -32602,
      message: `there is no tool "delete_everything" for this key; it has: ${NAMES.join(', ')}`,
    });
    const uri = 'file:///etc/passwd';
    expect(await refusalOf(client.readResource({ uri }))).toEqual({
      code: -32602,
      message: expect.stringContaining('this is not the URI of a content') as string,
    });
    const gone = client.readResource({ uri: 'knowledger://contents/0199d2a0-0000-7000-8000-0000000000aa' });
    expect((await refusalOf(gone)).message).toContain('there is no such thing');
    const page = client.listResources({ cursor: 'the last one' });
    expect(await refusalOf(page)).toEqual({
      code: -32602,
      message: expect.stringContaining('not a cursor of this list') as string,
    });
  });

  it('is told how far an answer is', async () => {
    const client = await mcpClient(url, KEY, options);
    const told: unknown[] = [];
    const onprogress = (progress: unknown): void => void told.push(progress);
    await client.callTool({ name: 'ask', arguments: { question: 'x' } }, { onprogress });
    expect(told).toEqual([{ progress: 1, message: 'Passages found: 3. Answering' }]);
  });
});

describe('the older revisions', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('%s: a client that asks for it is offered %s, and its calls are answered', async (asked, offered) => {
    const clientInfo = { name: 'old', version: '0' };
    const begin = { protocolVersion: asked, capabilities: {}, clientInfo };
    const { result, session } = await post({ id: 0, method: 'initialize', params: begin });
    expect(result.protocolVersion).toBe(offered);
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': offered };
    const done = await post({ method: 'notifications/initialized' }, headers);
    expect(done.status).toBe(202);
    const params = { name: 'search', arguments: { query: 'x' } };
    const called = await post({ id: 1, method: 'tools/call', params }, headers);
    expect(called.result.structuredContent.results).toHaveLength(1);
  });

  it('is answered by any process in a session that one of them gave, and in no other', async () => {
    const other = await runApp();
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'old', version: '0' },
    };
    const { session } = await post({ id: 0, method: 'initialize', params });
    const list = (name: string) =>
      post(
        { id: 1, method: 'tools/list' },
        { 'mcp-session-id': name, 'mcp-protocol-version': '2025-06-18' },
        other.url,
      );
    expect((await list(session)).result.tools).toHaveLength(5);
    for (const unknown of ['a-name', `x${session}`, session.slice(0, -1), session.split('.')[0]!])
      expect(await list(unknown)).toMatchObject({ status: 404, error: { data: { type: 'not_found' } } });
  });
});

const post = async (message: object, headers: object = {}, base = app.url) => {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${KEY}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? (text === '' ? '{}' : text);
  const session = response.headers.get('mcp-session-id') ?? '';
  return { status: response.status, session, ...JSON.parse(data) };
};

describe('on whose behalf tools read', () => {
  it.each(REVISIONS)('is settled by the address, or said by arguments: %s', async (_revision, options) => {
    const asked: unknown[] = [];
    const noting = await runApp((fakes) =>
      knowledgeOver({
        ...fakes,
        sources: {
          ...fakes.sources,
          content: async (caller, id, onBehalfOf) => {
            asked.push(onBehalfOf);
            return fakes.sources.content(caller, id, onBehalfOf);
          },
        },
      }),
    );
    const fixed = await mcpClient(`${noting.url}/mcp?principal_id=ada`, KEY, options);
    const free = await mcpClient(`${noting.url}/mcp`, KEY, options);
    await fixed.callTool({ name: 'get_content', arguments: { id: ID, authz_policy: 'readers' } });
    const other = await fixed.callTool({ name: 'get_content', arguments: { id: ID, principal_id: 'bob' } });
    expect(textOf(other)).toContain('principal_id is settled for this connection');
    const cited = await free.callTool({
      name: 'get_content',
      arguments: { id: ID, principal_id: 'bob & co' },
    });
    const { uri } = (cited.structuredContent as { content: { uri: string } }).content;
    await free.readResource({ uri });
    expect((await refusalOf(fixed.readResource({ uri }))).message).toContain('settled for this connection');
    expect(asked).toEqual([
      { principalId: 'ada', authzPolicy: 'readers' },
      { principalId: 'bob & co' },
      { principalId: 'bob & co' },
    ]);
  });
});

describe('a key', () => {
  it('that may not ask has no such tool, and one that reads nothing no resources', async () => {
    const reading = await runApp(({ authenticate }) => ({
      authenticate: Object.assign(
        async (key: string | undefined) => {
          const answer = await authenticate(key);
          const scope = key === 'kn_reader' ? 'knowledge:read' : 'inference:run';
          const known = answer.ok ? answer : await authenticate(KEY);
          return known.ok ? ({ ok: true, key: { ...known.key, scopes: [scope] } } as const) : known;
        },
        { clearCache: () => undefined },
      ),
    }));
    const names = async (key: string) => {
      const client = await mcpClient(`${reading.url}/mcp`, key, NO_HANDSHAKE);
      const { tools } = await client.listTools();
      return [tools.map(({ name }) => name), client.getServerCapabilities()];
    };
    expect(await names('kn_reader')).toEqual([
      NAMES.filter((name) => name !== 'ask'),
      { tools: {}, resources: {} },
    ]);
    expect(await names('kn_asker')).toEqual([['ask'], { tools: {} }]);
    const asker = await mcpClient(`${reading.url}/mcp`, 'kn_asker');
    const search = asker.callTool({ name: 'search', arguments: { query: 'x' } });
    expect((await refusalOf(search)).message).toBe('there is no tool "search" for this key; it has: ask');
    const read = asker.request({ method: 'resources/read', params: { uri: `knowledger://contents/${ID}` } });
    expect((await refusalOf(read)).message).toBe('Method not found');
  });
});
