import { isSafeUrl } from '../../adapters/oidc/issuer-url.ts';
import type { ClaimRules } from '../../application/access/people/person.ts';
import { type Scope, SCOPES } from '../../domain/api-key/decider.ts';
import { FIRST_TENANT } from '../bootstrap.ts';
import { ConfigError, type Variable } from './environment.ts';
import type { Given } from './variables.ts';

/** The issuer, as its tokens name it: to the letter, because it is compared with them. */
export const issuerUrl: Variable<string | undefined> = (given, name) => {
  if (given === undefined || (isSafeUrl(given) && new URL(given).search === '')) return given;
  throw new ConfigError(
    `${name} takes the address of an issuer as its tokens name it, with https (or http on this machine), without user, query and fragment`,
  );
};

/** Scopes by the value of a claim, as JSON. */
export const scopesByClaim: Variable<Readonly<Record<string, readonly Scope[]>> | undefined> = (
  given,
  name,
) => {
  if (given === undefined) return undefined;
  const takes = `${name} takes JSON that names scopes for values of the claim, such as {"editors":["knowledge:read","ingestion:manage"],"*":["knowledge:read"]}`;
  const map = parsed(given);
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw new ConfigError(takes);
  for (const [value, scopes] of Object.entries(map)) {
    if (!Array.isArray(scopes)) throw new ConfigError(`${takes}: ${JSON.stringify(value)} needs a list`);
    const wrong: unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
    if (wrong !== undefined)
      throw new ConfigError(`${name} takes the scopes ${SCOPES.join(', ')}, not ${JSON.stringify(wrong)}`);
  }
  return map as Readonly<Record<string, readonly Scope[]>>;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface SignInConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly rules: ClaimRules;
  readonly browser: {
    readonly clientId: string;
    readonly scope: string;
    readonly token: 'id_token' | 'access_token';
  };
}

/** How people sign in; undefined where no issuer is configured. @throws ConfigError */
export const readSignIn = (given: Given): SignInConfig | undefined => {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_SCOPES: scopes,
    OIDC_AUDIENCE: audience,
  } = given;
  const { OIDC_TENANT: named, OIDC_TENANT_CLAIM: claim } = given;
  if (issuer === undefined) {
    const alone = NEED_ISSUER.find((name) => given[name] !== undefined);
    if (alone === undefined) return undefined;
    throw new ConfigError(`${alone} needs OIDC_ISSUER, at which people sign in`);
  }
  if (clientId === undefined)
    throw new ConfigError('OIDC_ISSUER needs OIDC_CLIENT_ID, the name of this service at the issuer');
  if (scopes === undefined)
    throw new ConfigError(
      'OIDC_ISSUER needs OIDC_SCOPES: without it nobody who signs in may do anything, for example {"*":["knowledge:read"]}',
    );
  if (named !== undefined && claim !== undefined)
    throw new ConfigError('set OIDC_TENANT for one tenant, or OIDC_TENANT_CLAIM for many, not both');
  return {
    issuer,
    audience: audience ?? clientId,
    rules: {
      scopesClaim: given.OIDC_SCOPES_CLAIM ?? 'groups',
      scopes,
      tenant: claim === undefined ? { named: named ?? FIRST_TENANT } : { claim },
    },
    browser: {
      clientId,
      scope: given.OIDC_REQUEST_SCOPES ?? 'openid profile email',
      token: audience === undefined ? 'id_token' : 'access_token',
    },
  };
};

const NEED_ISSUER = [
  'OIDC_CLIENT_ID',
  'OIDC_AUDIENCE',
  'OIDC_REQUEST_SCOPES',
  'OIDC_SCOPES',
  'OIDC_SCOPES_CLAIM',
  'OIDC_TENANT',
  'OIDC_TENANT_CLAIM',
] as const;
