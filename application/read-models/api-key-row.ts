import type { ApiKeyEvent, LivingKey } from '../../domain/api-key/decider.ts';
import type { ApiKeyRow } from '../ports/access-views.ts';

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
      return row === null ? null : { ...row, keyHash: event.keyHash, revision };
    case 'ApiKeyRevoked':
      return null;
  }
};

export const apiKeyRowOf = (
  { keyId: id, at: createdAt, ...facts }: LivingKey,
  of: { readonly tenant: string; readonly revision: bigint },
): ApiKeyRow => ({ id, ...facts, createdAt, ...of });
