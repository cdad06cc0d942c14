import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

interface ServedCall {
  readonly tool: string;
  readonly given: unknown;
}

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: unknown;
    readonly protocolVersion?: string;
  };
}

export interface StandInTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations?: { readonly readOnlyHint?: boolean };
  /** Answers with a text; may never resolve. */
  readonly answer?: (given: unknown) => Promise<string> | string;
}

/** A server of tools on loopback, by the official library, and what it was asked. */
export const openToolServer = async (
  tools: readonly StandInTool[],
  {
    speaks = 'both',
    instead,
  }: {
    /** `sessions`: an older revision alone, by hand, with sessions. */
    readonly speaks?: 'both' | 'sessions';
    /** Answers in place of the server: true where it has. */
    readonly instead?: (method: string, response: ServerResponse) => boolean;
  } = {},
) => {
  const calls: ServedCall[] = [];
  const asked: { readonly method: string; readonly headers: IncomingHttpHeaders }[] = [];
  const left: string[] = [];
  const arrivals = new EventTarget();
  const listed = tools.map(({ name, description, inputSchema, annotations }) => ({
    name,
    inputSchema: inputSchema ?? { type: 'object' as const },
    ...(description !== undefined && { description }),
    ...(annotations !== undefined && { annotations }),
  }));
  const call = async (name: string, given: unknown) => {
    calls.push({ tool: name, given });
    arrivals.dispatchEvent(new Event('call'));
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return { content: [{ type: 'text' as const, text: 'unknown' }], isError: true };
    const text = (await tool.answer?.(given)) ?? `${name} did it.`;
    return { content: [{ type: 'text' as const, text }] };
  };
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'stand-in', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', ({ params }) => call(params.name, params.arguments));
    return server;
  });
  const bySession = async (
    { id, method, params }: Message,
    session: string | undefined,
    response: ServerResponse,
  ) => {
    const send = (status: number, body?: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...(body as object) }));
    };
    if (method === 'server/discover') return send(400, { error: { code: -32601, message: 'unknown' } });
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      return send(200, { result }, { 'mcp-session-id': 'session-of-the-server' });
    }
    if (session !== 'session-of-the-server' && session !== 'session-of-the-run') return send(404);
    if (id === undefined) return send(202);
    if (method === 'tools/list') return send(200, { result: { tools: listed } });
    return send(200, { result: await call(params?.name ?? '', params?.arguments) });
  };
  const server = createServer((request, response) => {
    void (async () => {
      response.on('close', () => {
        if (!response.writableFinished) left.push('left');
        arrivals.dispatchEvent(new Event('left'));
      });
      if (request.method !== 'POST') {
        asked.push({ method: request.method ?? '', headers: request.headers });
        return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      }
      const message = (await json(request)) as Message;
      asked.push({ method: message.method, headers: request.headers });
      if (instead?.(message.method, response) === true) return;
      const session = request.headers['mcp-session-id'] as string | undefined;
      if (speaks === 'sessions') {
        await bySession(message, session, response);
        return;
      }
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string' && !['connection', 'content-length'].includes(name))
          headers.set(name, value);
      const web = new Request('http://tools.example/mcp', { method: 'POST', headers });
      const answer = await handler.fetch(web, { parsedBody: message });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    asked,
    /** Clients that left before they had their whole answer. */
    left: left as readonly string[],
    /** Resolves once so many calls of tools have come. */
    called: async (n: number): Promise<void> => {
      while (calls.length < n) await once(arrivals, 'call');
    },
    /** Resolves once a client has left before it had its whole answer. */
    abandoned: async (): Promise<void> => {
      while (left.length === 0) await once(arrivals, 'left');
    },
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
