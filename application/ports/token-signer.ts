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
