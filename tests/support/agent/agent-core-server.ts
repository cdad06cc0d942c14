import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One invocation as it came in. */
export interface Invocation {
  readonly arn: string;
  readonly sessionId: string;
  readonly qualifier: string | null;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- what the service sends
  readonly payload: any;
  /** How its connection ended: the answer was whole, or somebody left. */
  readonly outcome: Promise<'ended' | 'left'>;
}
export type RuntimeAnswer = (invocation: Invocation, response: ServerResponse) => void | Promise<void>;

export interface AgentCoreServer {
  readonly endpoint: string;
  readonly invoked: Invocation[];
  /** Sessions that were stopped, in their order. */
  readonly stopped: string[];
  answer: RuntimeAnswer;
  readonly close: () => Promise<void>;
}

export const RUNTIME_ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/falconer-a1B2c3D4e5';
const PATH = /^\/runtimes\/([^/]+)\/(invocations|stopruntimesession)$/;
const SESSION = 'x-amzn-bedrock-agentcore-runtime-session-id';

/**
 * The data plane of Amazon Bedrock AgentCore. From its API reference: the paths, the ARN as one URL-encoded segment,
 * `qualifier`, the header of the session and its 33 to 256 characters, names and statuses of errors. From its developer
 * guide: the media types of answers, and that stopping a session ends the answers under way in it. What agents say is
 * the test's. That errors carry their name in `x-amzn-errortype` is how the official client reads them.
 */
export const openAgentCore = async (): Promise<AgentCoreServer> => {
  const open = new Map<ServerResponse, string>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://runtime');
    const [, arn = '', operation] = PATH.exec(url.pathname) ?? [];
    const sessionId = String(request.headers[SESSION] ?? '');
    const body = await text(request);
    if (request.method !== 'POST' || operation === undefined)
      return refuseInvocation(response, 'ResourceNotFoundException', 404);
    if (request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') !== true)
      return refuseInvocation(response, 'AccessDeniedException', 403);
    if (sessionId.length < 33 || sessionId.length > 256)
      return refuseInvocation(response, 'ValidationException', 400);
    if (operation === 'stopruntimesession') {
      server.stopped.push(sessionId);
      for (const [other, session] of open) if (session === sessionId) other.destroy();
      return void response.writeHead(200, { [SESSION]: sessionId }).end('{}');
    }
    open.set(response, sessionId);
    const outcome = new Promise<'ended' | 'left'>((resolve) => {
      response.on('close', () => {
        open.delete(response);
        resolve(response.writableFinished ? 'ended' : 'left');
      });
    });
    const invocation: Invocation = {
      arn: decodeURIComponent(arn),
      sessionId,
      qualifier: url.searchParams.get('qualifier'),
      headers: request.headers,
      payload: JSON.parse(body),
      outcome,
    };
    server.invoked.push(invocation);
    await server.answer(invocation, response);
  };
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const server: AgentCoreServer = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    invoked: [],
    stopped: [],
    answer: tells('It is so.'),
    close: async () => {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
  return server;
};

const refuseInvocation = (response: ServerResponse, name: string, status: number): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': name });
  response.end(JSON.stringify({ message: 'what the service says, which may quote what it was sent' }));
};
export const refuses =
  (name: string, status: number): RuntimeAnswer =>
  (_, response) =>
    refuseInvocation(response, name, status);

/** A whole answer of one media type. */
export const answers =
  (contentType: string, body: string): RuntimeAnswer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': contentType }).end(body);

/** Events of the agent-UI protocol, or anything else that is JSON, as server-sent events. */
export const eventsOf = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** The run of an agent that says one thing. */
export const tells =
  (...pieces: readonly string[]): RuntimeAnswer =>
  (invocation, response) => {
    const { threadId, runId } = invocation.payload as { threadId: string; runId: string };
    const body = eventsOf(
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
      ...pieces.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta })),
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      { type: 'RUN_FINISHED', threadId, runId },
    );
    return answers('text/event-stream', body)(invocation, response);
  };

/** Begins to answer, says so much, and goes on for ever. */
export const begins =
  (...events: readonly unknown[]): RuntimeAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(eventsOf({ type: 'RUN_STARTED' }, ...events));
  };
