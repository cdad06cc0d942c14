/** Why a token is refused. The messages are for its sender, and repeat nothing of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: 'invalid_token' | 'expired_token';
  constructor(reason: TokenRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The issuer cannot be asked for its addresses or keys: no token can be judged, and the sender may try again. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
}

/** The claims of a verified token (JSON Web Token, RFC 7519), by name. */
export interface Claims {
  readonly sub: string;
  readonly [name: string]: unknown;
}

/** Where a browser signs in and out (OpenID Connect Discovery 1.0, section 3). */
export interface SignInEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Null where the issuer has none. */
  readonly endSession: string | null;
}

/** An issuer of OpenID Connect whose tokens are accepted. */
export interface IdentityProvider {
  /** As tokens name it in `iss`. */
  readonly issuer: string;
  /**
   * Checks signature, issuer, audience and times of a token.
   *
   * @throws TokenRefused, IdentityProviderUnavailable
   */
  readonly verify: (token: string) => Promise<Claims>;
  /** @throws IdentityProviderUnavailable */
  readonly endpoints: () => Promise<SignInEndpoints>;
}
