import type { Scope } from './scope.ts';

/** Facts of the keys of one tenant, one stream per tenant: "the last issuer stays" is a rule over all its keys. */

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly key_id: string;
  readonly name: string;
  /** SHA-256 of the key, lower-case hex. The key itself is shown once and kept nowhere. */
  readonly key_hash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly source_group_ids: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expires_at: number | null;
  readonly requests_per_minute: number | null;
  readonly at: number;
}
/** From now on only the key with the new hash is valid. */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated';
  readonly key_id: string;
  readonly key_hash: string;
  readonly at: number;
}
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked';
  readonly key_id: string;
  readonly at: number;
}
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRotated | ApiKeyRevoked;
