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
   * @throws CredentialsRefused, CredentialsAway
   */
  readonly current: (signal: AbortSignal) => Promise<Credential>;
  /**
   * The provider has refused this one. True: there may be another, so ask `current` and try once more. False: there is
   * none.
   *
   * @throws CredentialsRefused, CredentialsAway
   */
  readonly refused: (credential: Credential, signal: AbortSignal) => Promise<boolean>;
}

/** For good: there is no secret (any more), it has expired, or it is exchanged for nothing. Never repeats its value. */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}
/** Another attempt may succeed. */
export class CredentialsAway extends Error {
  override readonly name = 'CredentialsAway';
}
