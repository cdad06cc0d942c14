import type { IRouter, Request, Response } from 'express';
import type { KnowledgeTools } from '../../../application/agents/tools/tools.ts';
import { AS_STORED, type Links, linksFrom } from '../../../application/agents/tools/links.ts';
import type { KnowledgeResources } from '../../../application/agents/tools/resources.ts';
import type { IdSource } from '../../../application/ports/identity.ts';
import { answeredSoon, type WithDatabase } from '../answered-soon.ts';
import type { Admit } from '../authentication.ts';
import type { CorsOrigins } from '../cors.ts';
import type { ProblemFor } from '../error-answer.ts';
import { readJson } from '../json-body.ts';
import { onBehalfOfIn } from '../on-behalf-of.ts';
import { HttpProblem } from '../problem.ts';
import { createQueryReader } from '../query.ts';
import { refuseOtherMethods } from '../refuse-method.ts';
import { requestContextOf } from '../request-context.ts';
import { ContentQuery } from '../schemas/source.ts';
import type { StopSignals } from '../stop-steps.ts';
import { ClientGone, prepareStream } from '../stream-answer.ts';
import type { CreateCheck } from '../validation.ts';
import { mustComeFromAllowed } from './origin.ts';
import { sendRefusal } from './refusal.ts';
import type { Exchange } from './server.ts';
import { createUnderway } from './underway.ts';
import { sendWebResponse, webRequestOf } from './web-exchange.ts';

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
const SESSION_ID = /^[\x21-\x7e]{1,100}$/;

/**
 * The Model Context Protocol over streamable HTTP, of 2026-07-28 and of the revisions before. Every request stands for
 * itself, so that any process may answer any of them: the session that older clients are told of is but a name, by
 * which they take a call back that the same process answers.
 */
export const mountMcp = (app: IRouter, deps: McpDeps): void => {
  const answer = createAnswer(deps);
  const answerOrRefuse = async (req: Request, res: Response): Promise<void> => {
    requestContextOf(res).route = PATH;
    try {
      await answeredSoon(deps.withDatabase, res, () => answer(req, res));
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

  return async (req: Request, res: Response): Promise<void> => {
    mustComeFromAllowed(req, corsOrigins);
    const caller = await admit(req, res, 'knowledge:read', 'inference:run');
    const query = readQuery(req.query);
    checkQuery(query);
    const message = messageIn(await readJson(req, res));
    const session = sessionOf(req);
    const { keyId, grant } = caller;
    const { method, params } = message;
    if (method === 'notifications/cancelled')
      underway.cancel({ keyId, session, requestId: params?.requestId });
    const stream = prepareStream(req, res, stop.refusing);
    const taken = new AbortController();
    const signal = AbortSignal.any([stream.signal, taken.signal]);
    const call = underway.begin({ keyId, session, requestId: message.id }, () => taken.abort());
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
    if (method === 'initialize') res.setHeader(SESSION, ids.newId());
    try {
      // Loaded by the first request, as a start should not wait for them.
      const { createMcpHandler } = await import('@modelcontextprotocol/server');
      const { serverFor } = await import('./server.ts');
      const handler = createMcpHandler(() => serverFor(exchange));
      await sendWebResponse(res, await handler.fetch(webRequestOf(req, signal), { parsedBody: message }));
    } finally {
      call.over();
    }
  };
};

/** By the address that the operator tells, else by the one that the client has asked. */
const linksFor = (req: Request, publicUrl: string | undefined): Links => {
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
  if (Array.isArray(body)) throw new HttpProblem('invalid_request', 'send one message at a time, no batch');
  if (typeof body === 'object' && body !== null) return body;
  throw new HttpProblem('invalid_request', 'send a message of JSON-RPC 2.0');
};

const sessionOf = ({ headers }: Request): string | undefined => {
  const session = headers[SESSION];
  return typeof session === 'string' && SESSION_ID.test(session) ? session : undefined;
};
