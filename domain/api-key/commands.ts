import type { Grant, Scope } from './scope.ts';

export interface IssueApiKey {
  readonly type: 'issue';
  readonly keyId: string;
  readonly name: string;
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  readonly sourceGroupIds: readonly string[] | null;
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  /** Powers of the issuer; null when the service itself issues (first start, command line). */
  readonly issuer: Grant | null;
  readonly at: number;
}
export interface RotateApiKey {
  readonly type: 'rotate';
  readonly keyId: string;
  readonly keyHash: string;
  /** Powers of whoever asks, here and below: it may only touch keys that reach no further. */
  readonly issuer: Grant;
  readonly at: number;
}
export interface RevokeApiKey {
  readonly type: 'revoke';
  readonly keyId: string;
  readonly issuer: Grant;
  readonly at: number;
}
export type ApiKeyCommand = IssueApiKey | RotateApiKey | RevokeApiKey;
