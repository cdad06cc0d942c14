import type { SecretType } from '../../domain/secret/decider.ts';
import type { Page, PageRequest } from './page.ts';

/** A secret without its value. */
export interface SecretRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly secretType: SecretType;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Number of data sources that refer to it. */
  readonly inUse: number;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** Reads secrets, without deleted ones. Eventually consistent: see ReadGate. */
export interface SecretView {
  readonly get: (tenant: string, id: string) => Promise<SecretRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<SecretRow>>;
}

/** Where a key is exchanged for an access token. Comes from the operator's configuration, never from a secret. */
export interface TokenExchange {
  readonly tokenUrl: string;
  /** Separated by spaces. */
  readonly scope: string;
}

/** What authenticates a request to a provider. */
export type Credential =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  /** From oauth_refresh or service_account. `expiresAt`: Unix milliseconds. */
  | { readonly type: 'access_token'; readonly token: string; readonly expiresAt: number }
  /** The key with which an app signs its token requests. `privateKey`: PEM. */
  | {
      readonly type: 'app';
      readonly appId: string;
      readonly installationId: string;
      readonly privateKey: string;
    };

export interface SecretCredentials {
  /** Does not read the secret yet. `exchange` is required for oauth_refresh and service_account. */
  readonly of: (
    secret: { readonly tenant: string; readonly secretId: string },
    exchange?: TokenExchange,
  ) => Credentials;
}

/** The credentials of one secret for one attempt of a job. Call `current` before each request. */
export interface Credentials {
  /**
   * The current credential: the next call uses a changed value. An access token is renewed before it expires, by one
   * process at a time, and a new refresh token from the provider is stored.
   *
   * @throws CredentialsRefused, CredentialsUnavailable
   */
  readonly current: (signal: AbortSignal) => Promise<Credential>;
  /**
   * Reports that the provider refused this credential. True: there may be another, so call `current` and retry once.
   * False: there is none.
   *
   * @throws CredentialsRefused, CredentialsUnavailable
   */
  readonly refused: (credential: Credential, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Permanent: the secret does not exist (any more), has expired, or the exchange was refused. The message never contains
 * its value.
 */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}
/** Another attempt may succeed. */
export class CredentialsUnavailable extends Error {
  override readonly name = 'CredentialsUnavailable';
}

/** The token endpoint of a provider (RFC 6749, section 3.2). */
export interface TokenEndpoint {
  /**
   * Sends one request. Takes at most `timeoutMs`, whatever the server does.
   *
   * @throws TokenRefused for a permanent refusal; TokenEndpointUnavailable if the endpoint is unreachable or asks to
   * retry later
   */
  readonly ask: (url: string, grant: TokenGrant, timeoutMs: number) => Promise<IssuedToken>;
}

/** What is exchanged for an access token. */
export type TokenGrant =
  | {
      readonly type: 'refresh_token';
      readonly refreshToken: string;
      readonly clientId: string;
      readonly clientSecret?: string;
    }
  /** A signed JSON Web Token of the account. */
  | { readonly type: 'assertion'; readonly assertion: string };

export interface IssuedToken {
  readonly token: string;
  /** From the response on; null: not stated. */
  readonly lifeMs: number | null;
  /** Replaces the refresh token that was sent; absent: that one remains valid. */
  readonly refreshToken?: string;
}

/** The message contains only the error code of the refusal. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
export class TokenEndpointUnavailable extends Error {
  override readonly name = 'TokenEndpointUnavailable';
}

/** Signs JSON Web Tokens (RFC 7519) with RS256. */
export interface TokenSigner {
  /** Whether the text is an RSA private key that can sign. @param privateKey PEM */
  readonly canSign: (privateKey: string) => boolean;
  /** Returns the compact form. @param keyId tells the receiver which of several keys signed it */
  readonly sign: (
    claims: Readonly<Record<string, string | number>>,
    privateKey: string,
    keyId?: string,
  ) => string;
}
