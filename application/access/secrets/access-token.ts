import type { OauthRefreshValue, ServiceAccountValue } from '../../../domain/secret/index.ts';
import { type Credential, CredentialsRefused, type TokenExchange } from '../../ports/secrets.ts';
import type { RenewalTurns } from '../../ports/leases.ts';
import { exchanged, type ExchangeDeps } from './exchange.ts';
import { keepRenewed, type KeepRenewedDeps } from './keep-renewed.ts';
import type { AccessToken, KeptValue } from './kept-value.ts';
import type { OpenSecret } from './open-secret.ts';

export interface AccessTokensDeps extends ExchangeDeps, KeepRenewedDeps {
  readonly turns: RenewalTurns;
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
const LOOK_AGAIN_MS = 200;
/** Of a token whose life the provider does not tell. */
const DEFAULT_LIFE_MS = 300_000;

/**
 * The access token that is kept, or a new one in exchange for the value. One process at a time exchanges; the others
 * wait, and take what it kept. So a refresh token that its provider replaces is used once.
 *
 * @throws CredentialsRefused, CredentialsAway
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
    const giveBack = await deps.turns.take(found.secretId, TURN_MS);
    if (giveBack === null) {
      await deps.idle(LOOK_AGAIN_MS, signal);
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
  { access }: KeptValue,
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
