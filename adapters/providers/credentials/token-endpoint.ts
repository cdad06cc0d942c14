import type { Dispatcher } from 'undici';
import {
  type IssuedToken,
  type TokenEndpoint,
  TokenEndpointUnavailable,
  type TokenGrant,
  TokenRefused,
} from '../../../application/ports/secrets.ts';
import { InvalidResponse, responseOf, textOf } from '../../http-client/provider-response.ts';
import { connectionFault, isTransientStatus } from '../../http-client/retry.ts';

const MAX_BYTES = 64 * 1024;

/** Token endpoints over HTTP (RFC 6749). Does not follow redirects, which would take the secret along. */
export const createTokenEndpoint = (dispatcher: Dispatcher): TokenEndpoint => ({
  ask: async (url, grant, timeoutMs) => {
    const time = AbortSignal.timeout(timeoutMs);
    const { status, text } = await exchange(dispatcher, new URL(url), formOf(grant), time).catch(
      (error: unknown) => {
        if (time.aborted) throw new TokenEndpointUnavailable(`no answer within ${timeoutMs} ms`);
        if (error instanceof InvalidResponse) throw new TokenEndpointUnavailable(`it ${error.message}`);
        throw new TokenEndpointUnavailable(`the connection failed: ${connectionFault(error).word}`);
      },
    );
    const answer = parsed(text);
    if (status === 200) return issuedIn(answer);
    const code = codeOf(answer);
    if (isTransientStatus(status) || TRANSIENT.has(code ?? ''))
      throw new TokenEndpointUnavailable(`it answers ${status}`);
    throw new TokenRefused(code ?? `it answers ${status}`);
  },
});

/** RFC 6749, section 6, and RFC 7523, section 2.1. */
const formOf = (grant: TokenGrant): Readonly<Record<string, string>> => {
  switch (grant.type) {
    case 'refresh_token':
      return {
        grant_type: 'refresh_token',
        refresh_token: grant.refreshToken,
        client_id: grant.clientId,
        ...(grant.clientSecret !== undefined && { client_secret: grant.clientSecret }),
      };
    case 'assertion':
      return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: grant.assertion };
  }
};

const exchange = async (
  dispatcher: Dispatcher,
  url: URL,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> => {
  const received = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'knowledger',
    },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  const response = responseOf(received, url, MAX_BYTES);
  return { status: response.status, text: await textOf(response) };
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Not used as the cause: its message repeats a part of the text.
    return {};
  }
};

const issuedIn = ({
  access_token: token,
  expires_in: expiresIn,
  refresh_token: refreshToken,
}: Readonly<Record<string, unknown>>): IssuedToken => {
  if (typeof token !== 'string' || !VISIBLE.test(token))
    throw new TokenEndpointUnavailable('it answered 200 without an access token');
  // Some servers send the number as a text.
  const seconds = Number(expiresIn ?? Number.NaN);
  return {
    token,
    lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
    ...(typeof refreshToken === 'string' && VISIBLE.test(refreshToken) && { refreshToken }),
  };
};

/** Characters that a header may contain (RFC 6750, RFC 6749 appendix A). */
const VISIBLE = /^[\x20-\x7e]{1,10000}$/;

/** A code of RFC 6749, section 5.2, or of the provider; anything longer could repeat what was sent. */
const codeOf = ({ error }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof error === 'string' && /^[a-z][a-z_]{2,39}$/.test(error) ? error : undefined;

const TRANSIENT: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);
