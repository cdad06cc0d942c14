import { type OauthRefreshValue, type ServiceAccountValue } from '../../../domain/secret/value.ts';
import { secret } from '../../../domain/secret/decider.ts';
import {
  type Credential,
  CredentialsRefused,
  type TokenExchange,
  CredentialsUnavailable,
  type IssuedToken,
  type TokenEndpoint,
  TokenEndpointUnavailable,
  type TokenGrant,
  TokenRefused,
  type TokenSigner,
} from '../../ports/secrets.ts';
import type { RenewalLeases } from '../../ports/leases.ts';
import type { AccessToken, StoredValue, OpenSecret, SecretTexts } from './stored-value.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { secretStream } from '../../event-sourcing/streams.ts';

interface StoreRenewedDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Stores the value and token that a provider issued in exchange for the value `from`, and replaces that value, unless
 * a caller has set another one meanwhile. Retries, because the old refresh token may be void: an outage of the store
 * must not lose the new one.
 */
const storeRenewed = async (
  deps: StoreRenewedDeps,
  of: { readonly tenant: string; readonly secretId: string; readonly from: string },
  stored: StoredValue,
): Promise<void> => {
  const { tenant, secretId, from } = of;
  const valueId = deps.ids.newId();
  if (!(await withRetries(deps, () => deps.texts.put(tenant, secretId, valueId, stored)))) return;
  const command = { type: 'renew', from, valueId, at: deps.clock.now() } as const;
  const stream = secretStream(secretId);
  const done = await withRetries(deps, () =>
    deps.execute(secret, stream, command, contextOf(tenant, valueId)),
  );
  // If a caller has set another value meanwhile, that value stays.
  await deps.texts.forget(tenant, secretId, done.events.length > 0 ? from : valueId);
};

const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 1_000;
const NEVER = new AbortController().signal;

const withRetries = async <T>({ idle }: StoreRenewedDeps, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || error instanceof DomainError) throw error;
      await idle(RETRY_DELAY_MS, NEVER);
    }
  }
};

const contextOf = (tenant: string, id: string) =>
  ({ tenant, actor: { kind: 'worker', id: 'credentials' }, correlationId: id, causationId: id }) as const;

interface ExchangeDeps {
  readonly clock: Clock;
  readonly endpoint: TokenEndpoint;
  readonly signer: TokenSigner;
}

/** Timeout of a token exchange. */
const EXCHANGE_MS = 10_000;

/**
 * Exchanges a value for an access token. @param name of the secret, for messages @throws CredentialsRefused,
 * CredentialsUnavailable
 */
export const exchangeToken = async (
  deps: ExchangeDeps,
  name: string,
  value: OauthRefreshValue | ServiceAccountValue,
  exchange: TokenExchange,
): Promise<IssuedToken> => {
  const grant = grantOf(deps, value, exchange);
  try {
    return await deps.endpoint.ask(exchange.tokenUrl, grant, EXCHANGE_MS);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof TokenRefused)
      throw new CredentialsRefused(
        `the provider refused an access token for the secret "${name}" (${message}): set another value`,
      );
    if (error instanceof TokenEndpointUnavailable)
      throw new CredentialsUnavailable(
        `no access token could be obtained for the secret "${name}": ${message}`,
      );
    throw error;
  }
};

/** Lifetime of an assertion in seconds. Google accepts at most one hour; RFC 7523 recommends short lifetimes. */
const ASSERTION_S = 3_600;

const grantOf = (
  { clock, signer }: ExchangeDeps,
  value: OauthRefreshValue | ServiceAccountValue,
  { tokenUrl, scope }: TokenExchange,
): TokenGrant => {
  if (value.type === 'oauth_refresh') return { ...value, type: 'refresh_token' };
  const { clientEmail, privateKey, privateKeyId, subject } = value;
  const iat = Math.floor(clock.now() / 1_000);
  const claims = {
    iss: clientEmail,
    scope,
    aud: tokenUrl,
    iat,
    exp: iat + ASSERTION_S,
    ...(subject !== undefined && { sub: subject }),
  };
  return { type: 'assertion', assertion: signer.sign(claims, privateKey, privateKeyId) };
};

export interface AccessTokensDeps extends ExchangeDeps, StoreRenewedDeps {
  readonly renewals: RenewalLeases;
}

export interface AccessRequest {
  readonly found: OpenSecret;
  /** Reads the current state of the secret. */
  readonly reopen: () => Promise<OpenSecret>;
  readonly exchange: TokenExchange | undefined;
  /** Tokens that the provider has refused. */
  readonly refusedTokens: ReadonlySet<string>;
}

/** A token with a shorter remaining lifetime is renewed, because the request that uses it takes time. */
const MIN_REMAINING_MS = 60_000;
/** Longer than the timeout of an exchange, so that the lease expires only when its holder has died. */
const LEASE_MS = 30_000;
const RECHECK_MS = 200;
/** Assumed lifetime when the provider does not report one. */
const DEFAULT_LIFE_MS = 300_000;

/**
 * Returns the stored access token, or exchanges the value for a new one. Only one process exchanges at a time; the
 * others wait and use the token that it stores. So a refresh token that the provider rotates is used only once.
 *
 * @throws CredentialsRefused, CredentialsUnavailable
 */
export const accessTokenOf = async (
  deps: AccessTokensDeps,
  request: AccessRequest,
  signal: AbortSignal,
): Promise<Credential> => {
  const { exchange } = request;
  if (exchange === undefined)
    throw new CredentialsRefused(
      'this provider does not accept secrets that are exchanged for access tokens',
    );
  for (let found = request.found; ; found = await request.reopen()) {
    signal.throwIfAborted();
    const stored = usableToken(deps, found.stored, exchange, request.refusedTokens);
    if (stored !== undefined) return credentialOf(stored);
    const releaseLease = await deps.renewals.take(found.secretId, LEASE_MS);
    if (releaseLease === null) {
      await deps.idle(RECHECK_MS, signal);
      continue;
    }
    const renewing = renewUnderLease(deps, request, exchange, releaseLease);
    return credentialOf(await unlessAborted(renewing, signal));
  }
};

const renewUnderLease = async (
  deps: AccessTokensDeps,
  { reopen, refusedTokens }: AccessRequest,
  exchange: TokenExchange,
  releaseLease: () => Promise<void>,
): Promise<AccessToken> => {
  try {
    // The previous holder of the lease may have renewed the token.
    const found = await reopen();
    return usableToken(deps, found.stored, exchange, refusedTokens) ?? (await renew(deps, found, exchange));
  } finally {
    await releaseLease();
  }
};

/**
 * Stops waiting when the signal aborts, but does not stop the work: an interrupted exchange could leave a refresh
 * token that the provider has already replaced.
 */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  work.catch(() => {});
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const usableToken = (
  { clock }: AccessTokensDeps,
  { access }: StoredValue,
  exchange: TokenExchange,
  refusedTokens: ReadonlySet<string>,
): AccessToken | undefined => {
  if (access === undefined || access.exchange !== nameOf(exchange) || refusedTokens.has(access.token))
    return undefined;
  return access.expiresAt - MIN_REMAINING_MS > clock.now() ? access : undefined;
};

const nameOf = ({ tokenUrl, scope }: TokenExchange): string => `${tokenUrl} ${scope}`;

const credentialOf = ({ token, expiresAt }: AccessToken): Credential => ({
  type: 'access_token',
  token,
  expiresAt,
});

const renew = async (
  deps: AccessTokensDeps,
  { tenant, secretId, state, stored }: OpenSecret,
  exchange: TokenExchange,
): Promise<AccessToken> => {
  const { value } = stored;
  const taken = value as OauthRefreshValue | ServiceAccountValue;
  const issued = await exchangeToken(deps, state.name, taken, exchange);
  const life = issued.lifeMs ?? DEFAULT_LIFE_MS;
  const access = { token: issued.token, expiresAt: deps.clock.now() + life, exchange: nameOf(exchange) };
  const replaced =
    issued.refreshToken !== undefined && value.type === 'oauth_refresh'
      ? { ...value, refreshToken: issued.refreshToken }
      : value;
  await storeRenewed(deps, { tenant, secretId, from: state.valueId }, { value: replaced, access });
  return access;
};
