import type { Caller } from '../../application/access/caller.ts';
import type { OpenPast } from '../../application/history/open-past.ts';
import type { EventFeed } from '../../application/ports/event-store.ts';
import { type ReadGate, VIEWS } from '../../application/ports/read-gate.ts';
import { MAX_VIEW_WAIT_MS, type WithDatabase, withinViewDeadline, sendJsonText } from './json-response.ts';
import type { Admit } from './authentication.ts';
import { disconnectSignal, requestContextOf } from './begin-request.ts';
import { readJson } from './json-body.ts';
import { createQueryReader, pathParametersOf } from './parameters.ts';
import { HttpProblem } from './problem.ts';
import { withOwnPrincipal } from './own-principal.ts';
import { type InTurn, readInTurn } from './read-in-turn.ts';
import { refuseAsOf, withDeletions } from './rewind.ts';
import { awaitPosition, idempotencyKeyOf } from './request-headers.ts';
import { type AnyRoute, STREAMED } from './route.ts';
import type { CreateCheck } from './validation.ts';
import type { IRouter, Request, Response } from 'express';
import Type from 'typebox';
import type { TSchema } from 'typebox';

interface MountDeps {
  readonly admit: Admit;
  readonly gate: ReadGate;
  readonly log: Pick<EventFeed, 'holds'>;
  readonly check: CreateCheck;
  readonly withDatabase: WithDatabase;
  readonly inTurn: InTurn;
  readonly openPast: OpenPast;
  /** Path of the router, for `Location`. */
  readonly basePath: string;
}

/** Maximum time for which the response to a write waits for the read models. */
const SETTLE_MS = 250;

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/**
 * Mounts the routes; a path answers 405 to every method that it does not have. Paths with fewer parameters come first, so
 * that `/repos/test` is never the repository `test`.
 */
export const mount = (router: IRouter, routes: readonly AnyRoute[], deps: MountDeps): void => {
  const paths = [...Map.groupBy(routes, ({ path }) => path)];
  for (const [path, ofPath] of paths.toSorted(([a], [b]) => parametersIn(a) - parametersIn(b))) {
    for (const route of ofPath) {
      const answer = serve(route, deps);
      router[route.method](expressPath(path), (req, res) =>
        withinViewDeadline(deps.withDatabase, res, () => answer(req, res)),
      );
    }
    const methods = ofPath.map(({ method }) => method.toUpperCase());
    refuseOtherMethods(router, expressPath(path), methods);
  }
};

const parametersIn = (path: string): number => path.split('{').length;

/** `{tile}` takes all segments that are left. */
const expressPath = (path: string): string => path.replace('{tile}', '*tile').replaceAll(/\{(\w+)\}/g, ':$1');

/** Handles every request in the same order: key, rate and scope, parameters and body, required position, operation. */
const serve = (route: AnyRoute, deps: MountDeps) => {
  const { admit, gate, log, check, inTurn, basePath } = deps;
  const querySchema: TSchema = route.query ?? NO_QUERY;
  const readQuery = createQueryReader(querySchema);
  const checkQuery = check(querySchema, 'query');
  const checkBody = route.body === undefined ? undefined : check(route.body as TSchema, 'body');
  const checkPath = check(Type.Object(pathParametersOf(route.path)), 'path');
  const offers = ['application/json', ...Object.keys(route.streams ?? {})] as [string, ...string[]];
  const scopes = route.scope === null ? [] : [route.scope];
  const anyType = route.otherResponses !== undefined;

  return async (req: Request, res: Response): Promise<void> => {
    requestContextOf(res).route = basePath + route.path;
    const gone = route.writes === true ? disconnectSignal(res) : undefined;
    const caller = onBehalfOf(await admit(req, res, ...scopes), gone);
    const mediaType = anyType ? '*/*' : negotiate(req, offers);
    const params = Object.fromEntries(
      Object.entries(req.params).map(([name, part]) => [name, [part].flat().join('/')]),
    );
    checkPath(params);
    const sent = readQuery(req.query);
    if (route.rewinds === undefined) refuseAsOf(sent);
    checkQuery(sent);
    const query = withOwnPrincipal(caller, querySchema, sent);
    let body: unknown;
    let leaveTurn = (): void => {};
    if (checkBody !== undefined) {
      const read = (): Promise<unknown> => readBody(req, res, route);
      if (route.inTurn === undefined) body = await read();
      else ({ body, leave: leaveTurn } = await readInTurn(inTurn, caller.tenant, res, read));
      refuseAsOf(body);
      checkBody(body);
      body = withOwnPrincipal(caller, route.body as TSchema, body);
    }
    const idempotencyKey = route.idempotent ? idempotencyKeyOf(req) : undefined;
    if (route.reads !== undefined) await awaitPosition(req, { gate, log }, route.reads);
    const id = (params['id'] ?? '').toLowerCase();
    const { as_of: asOf, ...asked } = query as { as_of?: string };
    const past = asOf === undefined ? undefined : await deps.openPast(asOf);
    const by = past === undefined ? caller : { ...caller, past };
    const input = { id, params, body, idempotencyKey, mediaType, leaveTurn, req, res };
    const found = await route.handler({ ...input, caller: by, query: asked });
    if (found === STREAMED) return;
    const answer = past === undefined ? found : withDeletions(found, route, past);
    if (answer.location !== undefined) res.setHeader('location', basePath + answer.location);
    if (answer.replayed) res.setHeader('idempotent-replayed', 'true');
    if (answer.position !== undefined && answer.position !== '') {
      if (route.writes) res.setHeader('x-position', answer.position);
      // So that the caller's next read mostly sees this write, or what it has just read of a stream, without asking for
      // it.
      const withinMs = route.writes ? SETTLE_MS : MAX_VIEW_WAIT_MS;
      await gate.reached(route.settles ?? VIEWS, answer.position, withinMs);
    }
    sendJsonText(res, answer.status, 'json' in answer ? answer.json : JSON.stringify(answer.body));
  };
};

/** Work that waits for others is aborted when the client disconnects. */
const onBehalfOf = (caller: Caller, gone: AbortSignal | undefined): Caller =>
  gone === undefined ? caller : { ...caller, context: { ...caller.context, signal: gone } };

const readBody = async (req: Request, res: Response, { bodyOptional }: AnyRoute): Promise<unknown> => {
  const body = await readJson(req, res);
  if (body !== undefined) return body;
  if (bodyOptional) return {};
  throw new HttpProblem('invalid_request', 'send a JSON body');
};

/**
 * Responses the remaining methods of a path once its own methods are mounted: OPTIONS with the list of methods, any other
 * method with 405 (RFC 9110, section 15.5.6: with `Allow`).
 */
export const refuseOtherMethods = (router: IRouter, path: string, methods: readonly string[]): void => {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  router.all(path, (req, res) => {
    if (req.method !== 'OPTIONS') {
      throw new HttpProblem('method_not_allowed', `${req.method} is not possible here: use ${allow}`, {
        allow,
      });
    }
    res.setHeader('allow', allow);
    res.statusCode = 204;
    res.end();
  });
};

const ANY = new Set(['*/*', 'application/json']);

/**
 * The media type of the response: the caller's preference among `offers` (RFC 9110, section 12.5.1), or the first one
 * without a preference.
 *
 * @throws HttpProblem not_acceptable
 */
const negotiate = (req: Request, offers: readonly [string, ...string[]]): string => {
  const { accept } = req.headers;
  if (accept === undefined || ANY.has(accept)) return offers[0];
  const best = req.accepts([...offers]);
  if (best === false) {
    throw new HttpProblem('not_acceptable', `this answers with ${offers.join(' or ')} only`);
  }
  return best;
};
