import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import type { Dispatcher } from 'undici';
import { ProviderError, ProviderTimeout } from '../../application/ports/language-model.ts';
import {
  type Claims,
  type IdentityProvider,
  IdentityProviderUnavailable,
  TokenRefused,
} from '../../application/ports/identity-provider.ts';
import type { Clock } from '../../application/ports/identity.ts';
import { ask } from '../http-client/ask.ts';
import { InvalidResponse } from '../http-client/provider-response.ts';
import { isSafeUrl } from './issuer-url.ts';
import { kept, type Keeping } from './kept.ts';

/** Signatures with a key pair alone: with a shared secret, whoever can check a token could make one. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Of tokens that are for an API or its client (RFC 9068, section 2.1; RFC 7519, section 5.1). */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);
/** Difference between the clocks of the issuer and of this machine. */
const CLOCK_TOLERANCE_S = 30;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1_024;
/** Callers wait, and send their request again themselves. */
const ONCE = { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 };

const METADATA: Keeping = { maxAgeMs: 3_600_000, pauseMs: 5_000 };
/** A key that the issuer has withdrawn serves no longer than this. A new one is looked for once in a pause. */
const KEYS: Keeping = { maxAgeMs: 600_000, pauseMs: 10_000 };

export interface IssuerOptions {
  /** As tokens name it in `iss`, to the letter. */
  readonly issuer: string;
  /** Whom tokens must be for. */
  readonly audience: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** An issuer with OpenID Connect Discovery 1.0. It is first asked when somebody signs in. */
export const createIdentityProvider = ({
  issuer,
  audience,
  dispatcher,
  clock,
}: IssuerOptions): IdentityProvider => {
  const { now } = clock;
  const read = <T>(address: string, of: (json: unknown) => T): Promise<T> =>
    ask(
      {
        name: 'the issuer of the sign-in',
        dispatcher,
        url: new URL(address),
        key: undefined,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        retry: ONCE,
        sleep: async () => {},
      },
      undefined,
      of,
      AbortSignal.timeout(2 * TIMEOUT_MS),
    ).catch((error: unknown) => {
      if (!(error instanceof ProviderError || error instanceof ProviderTimeout)) throw error;
      throw new IdentityProviderUnavailable(`nobody can sign in at the moment: ${error.message}`);
    });
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = kept(() => read(discovery, metadataOf(issuer)), METADATA, now);
  const keys = kept(
    async () => createLocalJWKSet(await read((await metadata.current()).keys, keySetOf)),
    KEYS,
    now,
  );
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const known = await keys.current();
    try {
      return await known(header, token);
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.newer(known) : undefined;
      if (newer === undefined) throw error;
      return newer(header, token);
    }
  };
  return {
    issuer,
    verify: async (token) => {
      const stated = claimsOf(token).iss;
      if (stated !== issuer)
        throw new TokenRefused('invalid_token', `the token is of another issuer than ${issuer}`);
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(now()),
        });
        if (!TYPES.has((protectedHeader.typ ?? 'jwt').toLowerCase()))
          throw new TokenRefused(
            'invalid_token',
            'this type of token gives no access: send an access or id token',
          );
        return subjectIn(payload);
      } catch (error) {
        throw error instanceof errors.JOSEError ? refusalOf(error, audience) : error;
      }
    },
    endpoints: async () => (await metadata.current()).endpoints,
  };
};

const claimsOf = (token: string): JWTPayload => {
  try {
    return decodeJwt(token);
  } catch {
    throw new TokenRefused('invalid_token', 'the token is no JSON Web Token with claims');
  }
};

const subjectIn = (payload: JWTPayload): Claims => {
  const { sub } = payload;
  if (typeof sub === 'string' && sub !== '') return { ...payload, sub };
  throw new TokenRefused('invalid_token', 'the token names nobody: its claim "sub" is empty');
};

/** Messages of our own, because those of the library may repeat a part of the token. */
const refusalOf = (error: errors.JOSEError, audience: string): TokenRefused => {
  if (error instanceof errors.JWTExpired)
    return new TokenRefused('expired_token', 'the token has expired: sign in again');
  return new TokenRefused('invalid_token', reasonOf(error, audience));
};

const reasonOf = (error: errors.JOSEError, audience: string): string => {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return `the token is not for ${audience}: have the issuer name it in "aud"`;
    if (error.claim === 'nbf') return 'the token is not valid yet: compare the clocks of issuer and service';
    return `the token lacks a valid claim "${error.claim}"`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return `the token must be signed by one of ${ALGORITHMS.join(', ')}`;
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'no key of the issuer fits the token: sign in again';
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'the signature of the token is not by a key of the issuer';
  return 'the token is no valid JSON Web Token';
};

const metadataOf = (issuer: string) => (json: unknown) => {
  const found = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (found['issuer'] !== issuer)
    throw new InvalidResponse(`calls itself by another name than OIDC_ISSUER, which is ${issuer}`);
  const address = (name: string): string => {
    const value = found[name];
    if (typeof value === 'string' && isSafeUrl(value)) return value;
    throw new InvalidResponse(`names no ${name} with https`);
  };
  return {
    keys: address('jwks_uri'),
    endpoints: {
      authorization: address('authorization_endpoint'),
      token: address('token_endpoint'),
      endSession: found['end_session_endpoint'] === undefined ? null : address('end_session_endpoint'),
    },
  };
};

const keySetOf = (json: unknown): JSONWebKeySet => {
  const { keys } = (json ?? {}) as { readonly keys?: unknown };
  const fits = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!fits) throw new InvalidResponse('sent no keys');
  return json as JSONWebKeySet;
};
