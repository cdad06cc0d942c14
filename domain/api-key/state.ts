import type { ApiKeyEvent } from './events.ts';
import type { Grant } from './scope.ts';

export interface LivingKey extends Grant {
  readonly key_id: string;
  readonly name: string;
  readonly key_hash: string;
  readonly expires_at: number | null;
}
/** The keys of one tenant. */
export interface KeyRing {
  /** Those that were not revoked, by id. */
  readonly keys: ReadonlyMap<string, LivingKey>;
  /** Ids of the others: a repeated request must not bring one back. */
  readonly revoked: ReadonlySet<string>;
}

export const initial: KeyRing = { keys: new Map(), revoked: new Set() };

export const evolve = ({ keys, revoked }: KeyRing, event: ApiKeyEvent): KeyRing => {
  const next = new Map(keys);
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { key_id, name, key_hash, scopes, source_group_ids, expires_at } = event;
      next.set(key_id, { key_id, name, key_hash, scopes, source_group_ids, expires_at });
      break;
    }
    case 'ApiKeyRotated': {
      const key = keys.get(event.key_id);
      if (key !== undefined) next.set(event.key_id, { ...key, key_hash: event.key_hash });
      break;
    }
    case 'ApiKeyRevoked':
      next.delete(event.key_id);
      return { keys: next, revoked: new Set([...revoked, event.key_id]) };
  }
  return { keys: next, revoked };
};
