import type { Request, Response } from 'express';
import type { Authenticate } from '../../application/api-key/authenticate.ts';
import type { Caller } from '../../application/caller.ts';
import type { ApiKeyRow } from '../../application/read-models/api-key-row.ts';
import type { Scope } from '../../domain/api-key/index.ts';
import { exchangeOf } from './exchange.ts';
import { HttpProblem } from './problem.ts';
import type { RateLimit } from './rate-limit.ts';

const REFUSALS = {
  missing_api_key: 'send an API key in the header x-api-key',
  invalid_api_key: 'this API key is not known, or was revoked',
  expired_api_key: 'this API key has expired',
};

/** RFC 9110, section 11.6.1: a 401 names the scheme. There is no registered one for keys in a header. */
const CHALLENGE = { 'www-authenticate': 'ApiKey header="x-api-key"' };

/**
 * Who asks, once key, rate and scope have been checked.
 *
 * @throws HttpProblem missing_api_key, invalid_api_key, expired_api_key, rate_limited, insufficient_scope
 */
export type Admit = (req: Request, res: Response, scope: Scope) => Promise<Caller>;

export const createAdmit =
  (authenticate: Authenticate, overRate: RateLimit): Admit =>
  async (req, res, scope) => {
    const key = await keyOf(req, authenticate);
    if (key.requests_per_minute !== null) {
      const wait = overRate(key.id, key.requests_per_minute);
      if (wait > 0) {
        const message = `this key may send ${key.requests_per_minute} requests a minute: wait ${wait} s`;
        throw new HttpProblem('rate_limited', message, { 'retry-after': String(wait) });
      }
    }
    if (!key.scopes.includes(scope)) {
      throw new HttpProblem('insufficient_scope', `this needs a key with the scope ${scope}`);
    }
    return callerOf(key, res);
  };

const keyOf = async (req: Request, authenticate: Authenticate): Promise<ApiKeyRow> => {
  const answer = await authenticate(req.headers['x-api-key'] as string | undefined);
  if (!answer.ok) throw new HttpProblem(answer.reason, REFUSALS[answer.reason], CHALLENGE);
  return answer.key;
};

/** Whether the key of a request that is still being answered would be let in now. */
export const createStillAllowed =
  (authenticate: Authenticate) =>
  async (req: Request, scope: Scope): Promise<boolean> => {
    const answer = await authenticate(req.headers['x-api-key'] as string | undefined);
    return answer.ok && answer.key.scopes.includes(scope);
  };

const callerOf = ({ id, tenant, scopes, source_group_ids }: ApiKeyRow, res: Response): Caller => {
  const { requestId, traceparent, tracestate } = exchangeOf(res);
  return {
    key_id: id,
    tenant,
    grant: { scopes, source_group_ids },
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
