import type { Authenticate } from '../../application/access/api-keys/authenticate.ts';
import type { Caller } from '../../application/access/caller.ts';
import type { SignIn } from '../../application/access/people/sign-in.ts';
import type { Actor } from '../../application/ports/event-metadata.ts';
import { TokenRefused } from '../../application/ports/identity-provider.ts';
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

export interface AuthenticationDeps {
  readonly authenticate: Authenticate;
  /** Tokens of people. Default: API keys alone give access. */
  readonly signIn?: SignIn | undefined;
}

/**
 * Authenticates a request and checks rate and scope: the caller needs one of these scopes, or none where none is named.
 *
 * @throws HttpProblem invalid_request, missing_api_key, invalid_api_key, expired_api_key, invalid_token, expired_token,
 * rate_limited, insufficient_scope
 * @throws IdentityProviderUnavailable
 */
export type Admit = (req: Request, res: Response, ...anyOf: readonly Scope[]) => Promise<Caller>;

export const createAdmit = (deps: AuthenticationDeps, rateLimit: RateLimit): Admit => {
  const identify = createIdentify(deps);
  return async (req, res, ...anyOf) => {
    const credential = credentialOf(req);
    const identity = await identify(credential);
    const { actor, perMinute, scopes } = identity;
    if (perMinute !== null) mustHaveQuota(actor.id, perMinute, rateLimit, res);
    if (anyOf.length > 0 && !anyOf.some((scope) => scopes.includes(scope))) {
      const challenge = credential.bearer
        ? challengeOf('insufficient_scope', credential, anyOf.join(' '))
        : {};
      throw new HttpProblem('insufficient_scope', lacking(actor, anyOf.join(' or ')), challenge);
    }
    return callerOf(identity, res);
  };
};

const lacking = ({ kind }: Actor, scopes: string): string =>
  kind === 'person'
    ? `this needs the scope ${scopes}, which your sign-in does not give: ask the operator`
    : `this needs a key with the scope ${scopes}`;

const mustHaveQuota = (keyId: string, perMinute: number, rateLimit: RateLimit, res: Response): void => {
  const quota = rateLimit(keyId, perMinute);
  for (const [name, value] of rateLimitHeaders(perMinute, quota)) res.setHeader(name, value);
  if (quota.wait === 0) return;
  const message = `this key may send ${perMinute} requests a minute: wait ${quota.wait} s`;
  throw new HttpProblem('rate_limited', message, { 'retry-after': String(quota.wait) });
};

/** Who sends a request, by its credential. */
interface Identity {
  readonly actor: Actor;
  /** Of the key or the person; undefined where a token tells none. */
  readonly name: string | undefined;
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly sourceGroupIds: readonly string[] | null;
  /** Requests a minute; null for any number. */
  readonly perMinute: number | null;
}

/** Three parts in base64url, of which the first is a JSON object: no API key looks like it. */
const JSON_WEB_TOKEN = /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/;

/** A bearer token of the form of a JSON Web Token is somebody's who signed in; everything else is an API key. */
const createIdentify =
  ({ authenticate, signIn }: AuthenticationDeps) =>
  async (credential: Credential): Promise<Identity> => {
    const { key, bearer } = credential;
    if (signIn !== undefined && bearer && key !== undefined && JSON_WEB_TOKEN.test(key)) {
      const person = await signIn.authenticate(key).catch((error: unknown) => {
        if (!(error instanceof TokenRefused)) throw error;
        throw new HttpProblem(error.reason, error.message, challengeOf(error.reason, credential));
      });
      const { id, name, tenant, scopes } = person;
      const actor = { kind: 'person', id, ...(name !== undefined && { name }) } as const;
      return { actor, name, tenant, scopes, sourceGroupIds: null, perMinute: null };
    }
    const answer = await authenticate(key);
    if (answer.ok) {
      const { id, name, tenant, scopes, sourceGroupIds, requestsPerMinute: perMinute } = answer.key;
      return { actor: { kind: 'api_key', id }, name, tenant, scopes, sourceGroupIds, perMinute };
    }
    const { reason } = answer;
    throw new HttpProblem(reason, REFUSALS[reason], challengeOf(reason, credential));
  };

/** Whether the credential of a request in progress would still be accepted. */
export const createStillAllowed = (deps: AuthenticationDeps) => {
  const identify = createIdentify(deps);
  return async (req: Request, scope: Scope): Promise<boolean> => {
    try {
      return (await identify(credentialOf(req))).scopes.includes(scope);
    } catch (error) {
      if (error instanceof HttpProblem) return false;
      throw error;
    }
  };
};

const callerOf = ({ actor, name, tenant, scopes, sourceGroupIds }: Identity, res: Response): Caller => {
  const { requestId, traceparent, tracestate } = requestContextOf(res);
  return {
    id: actor.id,
    ...(name !== undefined && { name }),
    tenant,
    grant: { scopes, sourceGroupIds },
    context: {
      tenant,
      actor,
      correlationId: requestId,
      causationId: requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...(tracestate !== undefined && { tracestate }),
    },
  };
};

/** The key or token of a request, and whether it came as a bearer token (RFC 6750, section 2.1). */
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
  invalid_token: 'invalid_token',
  expired_token: 'invalid_token',
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
