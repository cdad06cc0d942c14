import type { Authenticate } from '../../application/access/api-keys/authenticate.ts';
import type { Caller } from '../../application/access/caller.ts';
import type { ApiKeyRow } from '../../application/ports/access-views.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import { requestContextOf } from './begin-request.ts';
import { HttpProblem, type ProblemType } from './problem.ts';
import { type RateLimit, rateLimitHeaders } from './rate-limit.ts';
import type { Request, Response } from 'express';

const REFUSALS = {
  missing_api_key: 'send an API key in the header x-api-key, or as Authorization: Bearer',
  invalid_api_key: 'this API key is unknown, or was revoked',
  expired_api_key: 'this API key has expired',
};

/**
 * Authenticates a request and checks rate and scope: the key needs one of these scopes.
 *
 * @throws HttpProblem invalid_request, missing_api_key, invalid_api_key, expired_api_key, rate_limited,
 * insufficient_scope
 */
export type Admit = (req: Request, res: Response, ...anyOf: readonly [Scope, ...Scope[]]) => Promise<Caller>;

export const createAdmit =
  (authenticate: Authenticate, rateLimit: RateLimit): Admit =>
  async (req, res, ...anyOf) => {
    const credential = credentialOf(req);
    const key = await keyOf(credential, authenticate);
    if (key.requestsPerMinute !== null) mustHaveQuota(key.id, key.requestsPerMinute, rateLimit, res);
    if (!anyOf.some((scope) => key.scopes.includes(scope))) {
      const challenge = credential.bearer
        ? challengeOf('insufficient_scope', credential, anyOf.join(' '))
        : {};
      const message = `this needs a key with the scope ${anyOf.join(' or ')}`;
      throw new HttpProblem('insufficient_scope', message, challenge);
    }
    return callerOf(key, res);
  };

const mustHaveQuota = (keyId: string, perMinute: number, rateLimit: RateLimit, res: Response): void => {
  const quota = rateLimit(keyId, perMinute);
  for (const [name, value] of rateLimitHeaders(perMinute, quota)) res.setHeader(name, value);
  if (quota.wait === 0) return;
  const message = `this key may send ${perMinute} requests a minute: wait ${quota.wait} s`;
  throw new HttpProblem('rate_limited', message, { 'retry-after': String(quota.wait) });
};

const keyOf = async (credential: Credential, authenticate: Authenticate): Promise<ApiKeyRow> => {
  const answer = await authenticate(credential.key);
  if (answer.ok) return answer.key;
  const { reason } = answer;
  throw new HttpProblem(reason, REFUSALS[reason], challengeOf(reason, credential));
};

/** Whether the key of a request in progress would still be accepted. */
export const createStillAllowed =
  (authenticate: Authenticate) =>
  async (req: Request, scope: Scope): Promise<boolean> => {
    const answer = await authenticate(credentialOf(req).key);
    return answer.ok && answer.key.scopes.includes(scope);
  };

const callerOf = ({ id, tenant, scopes, sourceGroupIds }: ApiKeyRow, res: Response): Caller => {
  const { requestId, traceparent, tracestate } = requestContextOf(res);
  return {
    keyId: id,
    tenant,
    grant: { scopes, sourceGroupIds },
    context: {
      tenant,
      actor: { kind: 'api_key', id },
      correlationId: requestId,
      causationId: requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...(tracestate !== undefined && { tracestate }),
    },
  };
};

/** The key of a request, and whether it came as a bearer token (RFC 6750, section 2.1). */
interface Credential {
  readonly key: string | undefined;
  readonly bearer: boolean;
}

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * The key in `x-api-key`, or in `Authorization: Bearer`. Other schemes of Authorization are ignored, because they may
 * be for a proxy in front.
 *
 * @throws HttpProblem invalid_request when both are sent and differ, because the request is ambiguous
 */
const credentialOf = ({ headers }: Request): Credential => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] as string | undefined;
  if (token === undefined || key === token) return { key, bearer: false };
  if (key === undefined || key === '') return { key: token, bearer: true };
  throw new HttpProblem('invalid_request', 'x-api-key and Authorization hold different keys: send one');
};

/** Error codes of RFC 6750, section 3.1; a missing token has none. */
const ERRORS: Partial<Record<ProblemType, string>> = {
  invalid_api_key: 'invalid_token',
  expired_api_key: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
};

/**
 * RFC 9110, section 11.6.1: a 401 names the schemes. Keys in a custom header have no registered scheme. A request with
 * a bearer token gets the error in the terms of that scheme.
 */
const challengeOf = (
  type: ProblemType,
  { bearer }: Credential,
  scope?: string,
): Readonly<Record<string, string>> => {
  const error = bearer ? ERRORS[type] : undefined;
  const wanted = error === 'insufficient_scope' && scope !== undefined ? `, scope="${scope}"` : '';
  const scheme = `Bearer realm="knowledger"${error === undefined ? '' : `, error="${error}"`}${wanted}`;
  return { 'www-authenticate': `${scheme}, ApiKey header="x-api-key"` };
};
