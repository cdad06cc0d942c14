import type { ApiKeyEvent, LivingKey, Scope } from '../../domain/api-key/index.ts';

/** One API key as it is read and looked up; the key itself is kept nowhere. */
export interface ApiKeyRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  /** SHA-256 of the key, hex: what a request is looked up by. */
  readonly key_hash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly source_group_ids: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expires_at: number | null;
  readonly requests_per_minute: number | null;
  readonly created_at: number;
  /** Revision, in the tenant's stream of keys, of the newest event about this key. */
  readonly revision: bigint;
}

/** Null: revoked. Keys of a tenant share a stream; `revision` is the event's there. */
export const apiKeyRow = (
  row: ApiKeyRow | null,
  event: ApiKeyEvent,
  { tenant, revision }: { readonly tenant: string; readonly revision: bigint },
): ApiKeyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { type: _, ...key } = event;
      return apiKeyRowOf(key, { tenant, revision });
    }
    case 'ApiKeyRotated':
      return row === null ? null : { ...row, key_hash: event.key_hash, revision };
    case 'ApiKeyRevoked':
      return null;
  }
};

export const apiKeyRowOf = (
  { key_id: id, at: created_at, ...facts }: LivingKey,
  of: { readonly tenant: string; readonly revision: bigint },
): ApiKeyRow => ({ id, ...facts, created_at, ...of });
