import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import type { ApiKeyEvent, ApiKeyIssued } from './events.ts';
import type { Grant } from './scope.ts';

/** A key with the hash that is valid now; `at`: when it was issued. */
export type LivingKey = Omit<ApiKeyIssued, 'type'>;

/** The keys of one tenant. Every question of a decision is one look-up, however many there are. */
export interface KeyRing {
  /** Those that were not revoked, by id. */
  readonly keys: PersistentMap<LivingKey>;
  /** Those of them that can issue keys, but for having expired: see `mayIssue`. By id. */
  readonly issuers: PersistentMap<LivingKey>;
  /** The others, by id: a repeated request must not bring one back. */
  readonly revoked: PersistentMap<RevokedKey>;
}
export interface RevokedKey extends Pick<Grant, 'source_group_ids'> {
  readonly key_id: string;
}

export const initial: KeyRing = { keys: emptyMap(), issuers: emptyMap(), revoked: emptyMap() };

/** A key restricted to source groups cannot replace an unrestricted issuer. */
export const mayIssue = ({ scopes, source_group_ids }: Grant): boolean =>
  scopes.includes('apikeys:issue') && source_group_ids === null;

export const evolve = (ring: KeyRing, event: ApiKeyEvent): KeyRing => {
  const { keys, issuers, revoked } = ring;
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { type: _, ...key } = event;
      return withKey(ring, key);
    }
    case 'ApiKeyRotated': {
      const key = keys.get(event.key_id);
      return key === undefined ? ring : withKey(ring, { ...key, key_hash: event.key_hash });
    }
    case 'ApiKeyRevoked': {
      const { key_id } = event;
      const source_group_ids = keys.get(key_id)?.source_group_ids ?? null;
      return {
        keys: keys.without(key_id),
        issuers: issuers.without(key_id),
        revoked: revoked.with(key_id, { key_id, source_group_ids }),
      };
    }
  }
};

const withKey = ({ keys, issuers, revoked }: KeyRing, key: LivingKey): KeyRing => ({
  keys: keys.with(key.key_id, key),
  issuers: mayIssue(key) ? issuers.with(key.key_id, key) : issuers,
  revoked,
});
