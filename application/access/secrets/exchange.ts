import type { OauthRefreshValue, ServiceAccountValue } from '../../../domain/secret/index.ts';
import {
  CredentialsAway,
  CredentialsRefused,
  type TokenExchange,
  type IssuedToken,
  type TokenEndpoint,
  TokenEndpointAway,
  type TokenGrant,
  TokenRefused,
  type TokenSigner,
} from '../../ports/secrets.ts';
import type { Clock } from '../../ports/identity.ts';

export interface ExchangeDeps {
  readonly clock: Clock;
  readonly endpoint: TokenEndpoint;
  readonly signer: TokenSigner;
}

/** How long an exchange may take. */
const EXCHANGE_MS = 10_000;

/** @param name of the secret, for messages @throws CredentialsRefused, CredentialsAway */
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
    if (error instanceof TokenEndpointAway)
      throw new CredentialsAway(`no access token could be had for the secret "${name}": ${message}`);
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
