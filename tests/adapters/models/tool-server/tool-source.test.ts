import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import { createToolServers } from '../../../../adapters/models/tool-server/tool-source.ts';
import type { ToolServerSettings } from '../../../../adapters/models/tool-server/tool-server.ts';
import { createNumbering } from '../../../../application/agents/loop/agent-tool.ts';
import type { RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import { runToDo } from '../../../support/agent/local-runs.ts';
import { openToolServer, type StandInTool } from '../../../support/agent/tool-server.ts';

const never = (): AbortSignal => new AbortController().signal;
const TOOLS: readonly StandInTool[] = [
  {
    name: 'look_up',
    description: 'Looks  a customer\nup.',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    annotations: { readOnlyHint: true },
    answer: (given) => `Customer ${JSON.stringify(given)}.`,
  },
  { name: 'delete.all' },
];

const opened = async (
  server: Awaited<ReturnType<typeof openToolServer>>,
  settings: Partial<ToolServerSettings> = {},
  { run = {}, connectMs = 5_000 }: { readonly run?: Partial<RunToDo>; readonly connectMs?: number } = {},
) => {
  const lines: string[] = [];
  const log = { info: () => {}, error: () => {}, warn: (line: string) => void lines.push(line) };
  const own = {
    name: 'crm',
    url: server.url,
    headers: { authorization: 'Bearer token' },
    tools: ['look_up'],
  };
  const servers = [{ ...own, timeoutMs: 5_000, takesSession: false, ...settings }];
  const source = createToolServers({ servers, schemas: schemaCompiler, log, connectMs });
  const tools = await source.open(runToDo(run), createNumbering(0), never());
  onTestFinished(async () => {
    await tools.close();
    await source.close();
    await server.close();
  });
  return { ...tools, lines, close: tools.close };
};

describe.each(['both', 'sessions'] as const)('a tool server that speaks %s', (speaks) => {
  it('gives the tools that the operator allows, under the name of the server', async () => {
    const server = await openToolServer(TOOLS, { speaks });
    const { tools, notes } = await opened(server);
    expect(notes).toEqual([]);
    expect(tools).toMatchObject([
      {
        name: 'crm__look_up',
        description: 'A tool of the server crm: Looks a customer up.',
        readOnly: true,
      },
    ]);
    const [tool] = tools;
    expect(tool!.problemsOf({ id: 'x' })).toHaveLength(1);
    expect(tool!.problemsOf({ id: 7 })).toEqual([]);
    expect(await tool!.call({ id: 7 }, never())).toEqual({ text: 'Customer {"id":7}.', isError: false });
    expect(server.calls).toEqual([{ tool: 'look_up', given: { id: 7 } }]);
    expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer token')).toBe(true);
  });
});

describe('a tool server', () => {
  it('gives all its tools where the operator allows all, with names that every provider takes', async () => {
    const { tools } = await opened(await openToolServer(TOOLS), { tools: ['*'] });
    expect(tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['crm__look_up', true],
      ['crm__delete_all', false],
    ]);
  });

  it('is asked in the session of the run where it takes one, which is left open', async () => {
    const server = await openToolServer(TOOLS, { speaks: 'sessions' });
    const run = { mcpSessionId: 'session-of-the-run' };
    const { tools, close } = await opened(server, { takesSession: true }, { run });
    await tools[0]!.call({ id: 1 }, never());
    await close();
    expect(server.asked.map(({ method }) => method)).not.toContain('initialize');
    expect(server.asked.map(({ method }) => method)).not.toContain('DELETE');
    expect(server.asked.every(({ headers }) => headers['mcp-session-id'] === 'session-of-the-run')).toBe(
      true,
    );
  });

  it('never sees the session of the run where it takes none, and its own is ended', async () => {
    const server = await openToolServer(TOOLS, { speaks: 'sessions' });
    const { close } = await opened(server, {}, { run: { mcpSessionId: 'session-of-the-run' } });
    await close();
    const sessions = server.asked.map(({ headers }) => headers['mcp-session-id']);
    expect(sessions).not.toContain('session-of-the-run');
    expect(server.asked.at(-1)).toMatchObject({ method: 'DELETE' });
  });

  it.each([
    ['hangs', () => true],
    ['hangs when it lists its tools', (method: string) => method === 'tools/list'],
    [
      'fails',
      (_method: string, response: ServerResponse) => {
        response.writeHead(500).end('token=secret');
        return true;
      },
    ],
    [
      'redirects',
      (_method: string, response: ServerResponse) => {
        response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
        return true;
      },
    ],
  ])('that %s is a note, and no hang', async (_name, instead) => {
    const server = await openToolServer(TOOLS, { instead });
    const { tools, notes, lines } = await opened(server, {}, { connectMs: 150 });
    expect(tools).toEqual([]);
    expect(notes).toMatchObject([{ code: 'tool_server_unavailable' }]);
    expect(notes[0]!.message).toContain('crm');
    expect(lines).toEqual(['a tool server cannot be reached']);
  });

  it('is let go of when a call is taken back', async () => {
    const server = await openToolServer([{ name: 'look_up', answer: () => new Promise(() => {}) }]);
    const { tools } = await opened(server);
    const stop = new AbortController();
    const call = tools[0]!.call({}, stop.signal);
    await server.called(1);
    stop.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
    await server.abandoned();
  });

  it('is asked nothing by a run that is not begun', async () => {
    const asked: string[] = [];
    const server = await openToolServer(TOOLS, {
      instead: (method) => {
        asked.push(method);
        return false;
      },
    });
    const begun = () => Promise.reject(new Error('somebody else was first'));
    await expect(opened(server, {}, { run: { begun } })).rejects.toThrow('somebody else was first');
    await server.close();
    expect(asked).toEqual([]);
  });

  it('that answers too much fails the call', async () => {
    const server = await openToolServer([{ name: 'look_up', answer: () => 'x'.repeat(9 * 1024 * 1024) }]);
    const { tools } = await opened(server);
    await expect(tools[0]!.call({}, never())).rejects.toThrow(/bytes|terminated|fetch|stream/i);
  });
});
