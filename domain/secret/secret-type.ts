/** What a secret consists of, and how it is used. */
export const SECRET_TYPES = ['token', 'basic', 'oauth_refresh', 'service_account', 'app'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];
