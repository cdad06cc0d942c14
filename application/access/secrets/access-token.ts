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

interface KeepRenewedDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Keeps what a provider gave for the value `from`, in its place, unless a caller has given another one meanwhile. The old
 * token may be void by now: a store that is away for a moment must not cost the new one.
 */
const keepRenewed = async (
  deps: KeepRenewedDeps,
  of: { readonly tenant: string; readonly secretId: string; readonly from: string },
  kept: StoredValue,
): Promise<void> => {
  const { tenant, secretId, from } = of;
  const valueId = deps.ids.newId();
  if (!(await tried(deps, () => deps.texts.put(tenant, secretId, valueId, kept)))) return;
  const command = { type: 'renew', from, valueId, at: deps.clock.now() } as const;
  const stream = secretStream(secretId);
  const done = await tried(deps, () => deps.execute(secret, stream, command, contextOf(tenant, valueId)));
  // Where a caller was faster with another value, that one stays.
  await deps.texts.forget(tenant, secretId, done.events.length > 0 ? from : valueId);
};

const TRIES = 5;
const PAUSE_MS = 1_000;
const NEVER = new AbortController().signal;

const tried = async <T>({ idle }: KeepRenewedDeps, work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || error instanceof DomainError) throw error;
      await idle(PAUSE_MS, NEVER);
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

/** How long an exchange may take. */
const EXCHANGE_MS = 10_000;

/** @param name of the secret, for messages @throws CredentialsRefused, CredentialsUnavailable */
export const exchanged = async (
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
        `the provider gives no access token for the secret "${name}" (${message}): give it another value`,
      );
    if (error instanceof TokenEndpointUnavailable)
      throw new CredentialsUnavailable(`no access token could be had for the secret "${name}": ${message}`);
    throw error;
  }
};

/** RFC 7523 allows little more; Google takes no longer ones. */
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

export interface AccessTokensDeps extends ExchangeDeps, KeepRenewedDeps {
  readonly renewals: RenewalLeases;
}

export interface AccessRequest {
  readonly found: OpenSecret;
  /** The secret as it is by now. */
  readonly reopen: () => Promise<OpenSecret>;
  readonly exchange: TokenExchange | undefined;
  /** Tokens that the provider has refused. */
  readonly dead: ReadonlySet<string>;
}

/** A token that ends sooner is renewed: the request that it is for takes its time. */
const SPARE_MS = 60_000;
/** Longer than an exchange may take, so that a turn ends by itself only where its holder died. */
const TURN_MS = 30_000;
const RECHECK_MS = 200;
/** Of a token whose life the provider does not tell. */
const DEFAULT_LIFE_MS = 300_000;

/**
 * The access token that is kept, or a new one in exchange for the value. One process at a time exchanges; the others
 * wait, and take what it kept. So a refresh token that its provider replaces is used once.
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
    throw new CredentialsRefused('this provider takes no secret that is exchanged for access tokens');
  for (let found = request.found; ; found = await request.reopen()) {
    signal.throwIfAborted();
    const kept = living(deps, found.kept, exchange, request.dead);
    if (kept !== undefined) return credentialOf(kept);
    const giveBack = await deps.renewals.take(found.secretId, TURN_MS);
    if (giveBack === null) {
      await deps.idle(RECHECK_MS, signal);
      continue;
    }
    const renewing = inTurn(deps, request, exchange, giveBack);
    return credentialOf(await unlessAborted(renewing, signal));
  }
};

const inTurn = async (
  deps: AccessTokensDeps,
  { reopen, dead }: AccessRequest,
  exchange: TokenExchange,
  giveBack: () => Promise<void>,
): Promise<AccessToken> => {
  try {
    // Whoever had the turn before may have renewed it.
    const found = await reopen();
    return living(deps, found.kept, exchange, dead) ?? (await renew(deps, found, exchange));
  } finally {
    await giveBack();
  }
};

/**
 * Gives up waiting, not the work: an exchange that was broken off could leave us with a token that its provider has
 * replaced.
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

const living = (
  { clock }: AccessTokensDeps,
  { access }: StoredValue,
  exchange: TokenExchange,
  dead: ReadonlySet<string>,
): AccessToken | undefined => {
  if (access === undefined || access.exchange !== nameOf(exchange) || dead.has(access.token))
    return undefined;
  return access.expiresAt - SPARE_MS > clock.now() ? access : undefined;
};

const nameOf = ({ tokenUrl, scope }: TokenExchange): string => `${tokenUrl} ${scope}`;

const credentialOf = ({ token, expiresAt }: AccessToken): Credential => ({
  type: 'access_token',
  token,
  expiresAt,
});

const renew = async (
  deps: AccessTokensDeps,
  { tenant, secretId, state, kept }: OpenSecret,
  exchange: TokenExchange,
): Promise<AccessToken> => {
  const { value } = kept;
  const taken = value as OauthRefreshValue | ServiceAccountValue;
  const issued = await exchanged(deps, state.name, taken, exchange);
  const life = issued.lifeMs ?? DEFAULT_LIFE_MS;
  const access = { token: issued.token, expiresAt: deps.clock.now() + life, exchange: nameOf(exchange) };
  const replaced =
    issued.refreshToken !== undefined && value.type === 'oauth_refresh'
      ? { ...value, refreshToken: issued.refreshToken }
      : value;
  await keepRenewed(deps, { tenant, secretId, from: state.valueId }, { value: replaced, access });
  return access;
};
