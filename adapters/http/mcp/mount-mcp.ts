import { AS_STORED, type Links, linksFrom } from '../../../application/agents/tools/links.ts';
import type { KnowledgeResources } from '../../../application/agents/tools/resources.ts';
import type { KnowledgeTools } from '../../../application/agents/tools/tools.ts';
import type { IdSource } from '../../../application/ports/identity.ts';
import { type WithDatabase, withinViewDeadline, sendJson } from '../json-response.ts';
import type { Admit } from '../authentication.ts';
import { requestContextOf } from '../begin-request.ts';
import type { CorsOrigins } from '../cors.ts';
import type { ProblemFor } from '../error-response.ts';
import { readJson } from '../json-body.ts';
import { refuseOtherMethods } from '../mount.ts';
import { withOwnPrincipal } from '../own-principal.ts';
import { createQueryReader } from '../parameters.ts';
import { HttpProblem, type ProblemType } from '../problem.ts';
import { mustComeFromAllowed } from './allowed-origin.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { ContentQuery } from '../schemas/source.ts';
import type { StopSignals } from '../stop-signals.ts';
import { ClientGone, prepareStream } from '../stream-response.ts';
import type { CreateCheck } from '../validation.ts';
import type { Exchange } from './server.ts';
import type { IRouter, Request as HttpRequest, Response as HttpResponse } from 'express';
import { createHash } from 'node:crypto';
import { once } from 'node:events';

export interface McpDeps {
  readonly knowledgeTools: KnowledgeTools;
  readonly knowledgeResources: KnowledgeResources;
  readonly admit: Admit;
  readonly check: CreateCheck;
  readonly problemFor: ProblemFor;
  readonly withDatabase: WithDatabase;
  readonly corsOrigins?: CorsOrigins | undefined;
  readonly stop: StopSignals;
  readonly version: string;
  readonly publicUrl?: string | undefined;
  readonly ids: IdSource;
}

const PATH = '/mcp';
const SESSION = 'mcp-session-id';

/**
 * The Model Context Protocol over streamable HTTP, of 2026-07-28 and earlier revisions. Every request is
 * self-contained, so that any process can answer it: the session that older clients get is only a name, which lets them
 * cancel a call that the same process is answering. It ends in a digest of the key it was given to, by which any process
 * knows it; another one is 404, so that its client begins anew.
 */
export const mountMcp = (app: IRouter, deps: McpDeps): void => {
  const answer = createAnswer(deps);
  const answerOrRefuse = async (req: HttpRequest, res: HttpResponse): Promise<void> => {
    requestContextOf(res).route = PATH;
    try {
      await withinViewDeadline(deps.withDatabase, res, () => answer(req, res));
    } catch (error) {
      if (error instanceof ClientGone || res.headersSent) throw error;
      sendRefusal(res, deps.problemFor(error, req, res));
    }
  };
  app.post(PATH, (req, res) => answerOrRefuse(req, res));
  refuseOtherMethods(app, PATH, ['POST']);
};

const createAnswer = ({
  knowledgeTools,
  knowledgeResources,
  admit,
  check,
  problemFor,
  corsOrigins = [],
  stop,
  version,
  publicUrl,
  ids,
}: McpDeps) => {
  const underway = createUnderway();
  const readQuery = createQueryReader(ContentQuery);
  const checkQuery = check(ContentQuery, 'query');

  return async (req: HttpRequest, res: HttpResponse): Promise<void> => {
    mustComeFromAllowed(req, corsOrigins);
    const caller = await admit(req, res, 'knowledge:read', 'inference:run');
    const sent = readQuery(req.query);
    checkQuery(sent);
    const query = withOwnPrincipal(caller, ContentQuery, sent);
    const message = messageIn(await readJson(req, res));
    const { id: callerId, grant } = caller;
    const { method, params } = message;
    const session = method === 'initialize' ? undefined : sessionOf(req, callerId);
    if (method === 'notifications/cancelled')
      underway.cancel({ callerId, session, requestId: params?.requestId });
    const stream = prepareStream(req, res, stop.refusing);
    const taken = new AbortController();
    const signal = AbortSignal.any([stream.signal, taken.signal]);
    const call = underway.begin({ callerId, session, requestId: message.id }, () => taken.abort());
    const onBehalfOf = onBehalfOfIn(query);
    const exchange: Exchange = {
      version,
      by: { caller, onBehalfOf },
      tools: knowledgeTools(grant, onBehalfOf),
      resources: grant.scopes.includes('knowledge:read') ? knowledgeResources : null,
      signal,
      links: linksFor(req, publicUrl),
      problemFor: (error: unknown) => problemFor(error, req, res),
    };
    if (method === 'initialize') res.setHeader(SESSION, sessionFor(callerId, ids.newId()));
    try {
      // Loaded by the first request, so that a start need not wait for it.
      const { createMcpHandler } = await import('@modelcontextprotocol/server');
      const { serverFor } = await import('./server.ts');
      const handler = createMcpHandler(() => serverFor(exchange));
      await sendWebResponse(res, await handler.fetch(webRequestOf(req, signal), { parsedBody: message }));
    } finally {
      call.over();
    }
  };
};

/** Uses the public URL of the configuration, else the one that the client requested. */
const linksFor = (req: HttpRequest, publicUrl: string | undefined): Links => {
  const base = publicUrl ?? URL.parse(`${req.protocol}://${req.headers.host ?? ''}`)?.origin;
  return base === undefined ? AS_STORED : linksFrom(base);
};

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** @throws HttpProblem invalid_request */
const messageIn = (body: unknown): Message => {
  if (Array.isArray(body))
    throw new HttpProblem('invalid_request', 'send one message at a time, not a batch');
  if (typeof body === 'object' && body !== null) return body;
  throw new HttpProblem('invalid_request', 'send a message of JSON-RPC 2.0');
};

const sessionFor = (callerId: string, id: string): string =>
  `${id}.${createHash('sha256').update(`${callerId}.${id}`).digest('base64url').slice(0, 16)}`;

/** @throws HttpProblem not_found for a session that was not given to this key */
const sessionOf = ({ headers }: HttpRequest, callerId: string): string | undefined => {
  const session = headers[SESSION];
  if (session === undefined) return undefined;
  if (typeof session === 'string' && session === sessionFor(callerId, session.split('.', 1)[0]!))
    return session;
  throw new HttpProblem('not_found', 'there is no such session: begin a new one by initialize');
};

/** Error codes of JSON-RPC 2.0, section 5.1; the last one stands for all problems without a code. */
const CODES: Partial<Record<ProblemType, number>> = {
  invalid_json: -32700,
  invalid_request: -32600,
  internal_error: -32603,
};
const OTHER = -32000;

/** Refuses a request before the call starts: an HTTP error whose body is a JSON-RPC error. */
const sendRefusal = (res: HttpResponse, { status, type, message, headers }: HttpProblem): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const error = { code: CODES[type] ?? OTHER, message, data: { type } };
  sendJson(res, status, { jsonrpc: '2.0', id: null, error });
};

/** Calls in progress in this process, so that their clients can cancel them. */
interface Underway {
  /**
   * Registers the call of a client until it ends. Calls without a session cannot be distinguished from those of other
   * clients with the same key, and are not registered.
   */
  readonly begin: (call: CallName, cancel: () => void) => { readonly over: () => void };
  /** Does nothing for an unknown call, for example when another process answers it. */
  readonly cancel: (call: CallName) => void;
}
interface CallName {
  readonly callerId: string;
  /** The session name that the service gave the client; undefined when the client sent none. */
  readonly session: string | undefined;
  readonly requestId: unknown;
}

const createUnderway = (): Underway => {
  const calls = new Map<string, () => void>();
  const nameOf = ({ callerId, session, requestId }: CallName): string | null => {
    const isId = typeof requestId === 'string' || typeof requestId === 'number';
    return session === undefined || !isId ? null : JSON.stringify([callerId, session, requestId]);
  };
  return {
    begin: (call, cancel) => {
      const name = nameOf(call);
      if (name === null) return { over: () => {} };
      calls.set(name, cancel);
      return { over: () => void (calls.get(name) === cancel && calls.delete(name)) };
    },
    cancel: (call) => calls.get(nameOf(call) ?? '')?.(),
  };
};

/** The request in the form of the protocol library; its body has been read. */
const webRequestOf = ({ headers: given, url }: HttpRequest, signal: AbortSignal): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (PASSED_ON.has(name) && typeof value === 'string') headers.set(name, value);
  }
  return new Request(new URL(url, 'http://knowledger'), { method: 'POST', headers, signal });
};
/** Headers that the protocol reads. A key is never passed on. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/**
 * Sends the response, no faster than the client reads it. Headers that are already set stay, unless the response has
 * them too.
 */
const sendWebResponse = async (res: HttpResponse, answer: Response): Promise<void> => {
  res.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (!OURS.has(name)) res.setHeader(name, value);
  if (answer.body === null) {
    res.end();
    return;
  }
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // nginx would otherwise buffer the stream.
  if (isStream) res.setHeader('x-accel-buffering', 'no');
  for await (const piece of answer.body) {
    if (res.closed) break;
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
};
/** Headers that we set for every response, or that belong to the connection. */
const OURS: ReadonlySet<string> = new Set(['cache-control', 'connection']);
