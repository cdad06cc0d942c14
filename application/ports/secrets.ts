import type { SecretType } from '../../domain/secret/decider.ts';
import type { Page, PageRequest } from './page.ts';

/** One secret as it is read: all but its value. */
export interface SecretRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly secretType: SecretType;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Data sources that name it. */
  readonly inUse: number;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** Reads of secrets. Deleted ones are absent. Eventually consistent: see ReadGate. */
export interface SecretView {
  readonly get: (tenant: string, id: string) => Promise<SecretRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<SecretRow>>;
}

/** When secrets were used last. Not worth an event: it changes with each job. */
export interface SecretUsage {
  /** Used at that time, Unix milliseconds; an earlier one than what is known changes nothing. */
  readonly used: (secretId: string, at: number) => Promise<void>;
  /** Of those that were ever used. */
  readonly lastUsed: (secretIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly forget: (secretId: string) => Promise<void>;
}

/** Where a key is exchanged for an access token: of the operator's configuration, never of a secret. */
export interface TokenExchange {
  readonly tokenUrl: string;
  /** Separated by blanks. */
  readonly scope: string;
}

/** What a request to a provider is made with. */
export type Credential =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  /** Out of oauth_refresh or service_account. `expiresAt`: Unix milliseconds. */
  | { readonly type: 'access_token'; readonly token: string; readonly expiresAt: number }
  /** What an app signs its own requests for tokens with. `privateKey`: PEM. */
  | {
      readonly type: 'app';
      readonly appId: string;
      readonly installationId: string;
      readonly privateKey: string;
    };

export interface SecretCredentials {
  /** Nothing is read yet. `exchange` is needed for oauth_refresh and service_account. */
  readonly of: (
    secret: { readonly tenant: string; readonly secretId: string },
    exchange?: TokenExchange,
  ) => Credentials;
}

/** The credentials of one secret, for one attempt of a job. To be asked before each request. */
export interface Credentials {
  /**
   * As the secret is now: a changed value is in force at the next call. An access token is renewed before it ends, by
   * one process at a time, and what the provider gives in exchange is kept.
   *
   * @throws CredentialsRefused, CredentialsUnavailable
   */
  readonly current: (signal: AbortSignal) => Promise<Credential>;
  /**
   * The provider has refused this one. True: there may be another, so ask `current` and try once more. False: there is
   * none.
   *
   * @throws CredentialsRefused, CredentialsUnavailable
   */
  readonly refused: (credential: Credential, signal: AbortSignal) => Promise<boolean>;
}

/** For good: there is no secret (any more), it has expired, or it is exchanged for nothing. Never repeats its value. */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}
/** Another attempt may succeed. */
export class CredentialsUnavailable extends Error {
  override readonly name = 'CredentialsUnavailable';
}

/** Where access tokens are asked for (RFC 6749, section 3.2). */
export interface TokenEndpoint {
  /**
   * Asks once. Takes at most `timeoutMs`, whatever the other side does.
   *
   * @throws TokenRefused for good; TokenEndpointUnavailable when it cannot be reached, or asks to come later
   */
  readonly ask: (url: string, grant: TokenGrant, timeoutMs: number) => Promise<IssuedToken>;
}

/** What is exchanged. */
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
  /** From the answer on; null: it did not say. */
  readonly lifeMs: number | null;
  /** In place of the one that was sent; absent: that one stays. */
  readonly refreshToken?: string;
}

/** Its message repeats nothing but the code of the refusal. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
export class TokenEndpointUnavailable extends Error {
  override readonly name = 'TokenEndpointUnavailable';
}

/** Signs JSON Web Tokens (RFC 7519) by RS256. */
export interface TokenSigner {
  /** Whether it is an RSA private key that can sign. @param privateKey PEM */
  readonly canSign: (privateKey: string) => boolean;
  /** The compact form. @param keyId tells the receiver which of several keys it was */
  readonly sign: (
    claims: Readonly<Record<string, string | number>>,
    privateKey: string,
    keyId?: string,
  ) => string;
}
