/** Where access tokens are asked for (RFC 6749, section 3.2). */
export interface TokenEndpoint {
  /**
   * Asks once. Takes at most `timeoutMs`, whatever the other side does.
   *
   * @throws TokenRefused for good; TokenEndpointAway when it cannot be reached, or asks to come later
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
export class TokenEndpointAway extends Error {
  override readonly name = 'TokenEndpointAway';
}
