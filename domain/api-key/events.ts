import type { Scope } from './scope.ts';

/** Facts of the keys of one tenant, one stream per tenant: "the last issuer stays" is a rule over all its keys. */

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly keyId: string;
  readonly name: string;
  /** SHA-256 of the key, lower-case hex. The key itself is shown once and kept nowhere. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  readonly at: number;
}
/** From now on only the key with the new hash is valid. */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated';
  readonly keyId: string;
  readonly keyHash: string;
  readonly at: number;
}
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked';
  readonly keyId: string;
  readonly at: number;
}
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRotated | ApiKeyRevoked;
