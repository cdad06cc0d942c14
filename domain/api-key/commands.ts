import type { Grant, Scope } from './scope.ts';

export interface IssueApiKey {
  readonly type: 'issue';
  readonly key_id: string;
  readonly name: string;
  readonly key_hash: string;
  readonly scopes: readonly Scope[];
  readonly source_group_ids: readonly string[] | null;
  readonly expires_at: number | null;
  readonly requests_per_minute: number | null;
  /** Powers of the issuer; null when the service itself issues (first start, command line). */
  readonly issuer: Grant | null;
  readonly at: number;
}
export interface RotateApiKey {
  readonly type: 'rotate';
  readonly key_id: string;
  readonly key_hash: string;
  /** Powers of whoever asks, here and below: it may only touch keys that reach no further. */
  readonly issuer: Grant;
  readonly at: number;
}
export interface RevokeApiKey {
  readonly type: 'revoke';
  readonly key_id: string;
  readonly issuer: Grant;
  readonly at: number;
}
export type ApiKeyCommand = IssueApiKey | RotateApiKey | RevokeApiKey;
