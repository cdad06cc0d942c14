import type { OnBehalfOf } from '../../application/access/authz/access.ts';
import type { EventFeed, Position } from '../../application/ports/event-store.ts';
import type { ReadGate, ViewName } from '../../application/ports/read-gate.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { HttpProblem } from './problem.ts';
import type { Request } from 'express';
import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

const noPosition = (): HttpProblem =>
  new HttpProblem('invalid_request', 'x-min-position must be the x-position of a response to a write');

const holds = async (log: Pick<EventFeed, 'holds'>, position: Position): Promise<boolean> => {
  try {
    return await log.holds(position);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_cursor') return false;
    throw error;
  }
};

/** Positions are opaque; positions of every adapter match this pattern. */
export const POSITION = '^[0-9A-Za-z][0-9A-Za-z._:-]{0,127}$';
const position = new RegExp(POSITION);
export const isPosition = (text: string): boolean => position.test(text);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const LONGEST_WAIT_MS = 2_000;

/** @throws HttpProblem invalid_request */
export const idempotencyKeyOf = (req: Request): string | undefined => {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new HttpProblem('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
};

/** @throws HttpProblem invalid_cursor */
export const lastEventIdOf = (req: Request): string | undefined => {
  const id = req.headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id === 'string' && /^\d{1,16}$/.test(id)) return id;
  throw new HttpProblem('invalid_cursor', 'Last-Event-ID must be the id of an event of this stream');
};

/**
 * Waits until `views` contain the caller's `x-min-position`. A position beyond the end of the log is refused
 * immediately: no view would ever reach it, and a client told to retry would do so for ever.
 *
 * @throws HttpProblem invalid_request; unavailable when it takes longer than two seconds
 */
export const awaitPosition = async (
  req: Request,
  { gate, log }: { readonly gate: ReadGate; readonly log: Pick<EventFeed, 'holds'> },
  views: readonly ViewName[],
): Promise<void> => {
  const wanted: Position | string[] | undefined = req.headers['x-min-position'];
  if (wanted === undefined) return;
  if (typeof wanted !== 'string' || !isPosition(wanted)) throw noPosition();
  if (views.length === 0 || (await gate.reached(views, wanted, 0))) return;
  if (!(await holds(log, wanted))) throw noPosition();
  if (await gate.reached(views, wanted, LONGEST_WAIT_MS)) return;
  const message = 'the read model has not reached x-min-position yet: try again';
  throw new HttpProblem('unavailable', message, { 'retry-after': '1' });
};

type Headers = readonly (readonly [name: string, value: string])[];
type Directives = Readonly<Record<string, string[]>>;

/**
 * Helmet's headers, computed once because they never change. `upgrade-insecure-requests` stays off, because it breaks
 * the pages on plain HTTP; TLS is the job of the proxy in front.
 */
const helmetHeaders = (useDefaults: boolean, directives: Directives): Headers => {
  const headers: [string, string][] = [];
  const setHeader = (name: string, value: string) => headers.push([name.toLowerCase(), value]);
  const recorder = { setHeader, removeHeader: () => undefined } as unknown as ServerResponse;
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults, directives: { ...directives, upgradeInsecureRequests: null } },
  });
  middleware({} as IncomingMessage, recorder, () => undefined);
  return headers;
};

/** For data responses: nothing in them may load, run or be framed. */
export const API_HEADERS: Headers = [
  ...helmetHeaders(false, { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] }),
  ['cache-control', 'no-store'],
];

/** For the documentation pages: everything comes from this server. The explorer sets styles inline. */
export const PAGE_HEADERS: Headers = helmetHeaders(true, {
  defaultSrc: ["'self'"],
  fontSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
});

/**
 * For the console: nothing from elsewhere, no script or style within the page. It shows stored pictures and PDFs as
 * objects that it has read with its key.
 *
 * @param origins to which the page may send requests besides this service
 */
export const consoleHeaders = (origins: readonly string[]): Headers =>
  helmetHeaders(false, {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    connectSrc: ["'self'", ...origins],
    frameSrc: ['blob:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  });

/** On whose behalf a request reads, from its query or its body. */
export const onBehalfOfIn = ({
  authz_policy: authzPolicy,
  principal_id: principalId,
  try_policy: isTrial,
}: {
  readonly authz_policy?: string;
  readonly principal_id?: string;
  readonly try_policy?: boolean;
}): OnBehalfOf => ({
  ...(authzPolicy !== undefined && { authzPolicy }),
  ...(principalId !== undefined && { principalId }),
  ...(isTrial !== undefined && { isTrial }),
});
