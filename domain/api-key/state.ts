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
export interface RevokedKey extends Pick<Grant, 'sourceGroupIds'> {
  readonly keyId: string;
}

export const initial: KeyRing = { keys: emptyMap(), issuers: emptyMap(), revoked: emptyMap() };

/** A key restricted to source groups cannot replace an unrestricted issuer. */
export const mayIssue = ({ scopes, sourceGroupIds }: Grant): boolean =>
  scopes.includes('apikeys:issue') && sourceGroupIds === null;

export const evolve = (ring: KeyRing, event: ApiKeyEvent): KeyRing => {
  const { keys, issuers, revoked } = ring;
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { type: _, ...key } = event;
      return withKey(ring, key);
    }
    case 'ApiKeyRotated': {
      const key = keys.get(event.keyId);
      return key === undefined ? ring : withKey(ring, { ...key, keyHash: event.keyHash });
    }
    case 'ApiKeyRevoked': {
      const { keyId } = event;
      const sourceGroupIds = keys.get(keyId)?.sourceGroupIds ?? null;
      return {
        keys: keys.without(keyId),
        issuers: issuers.without(keyId),
        revoked: revoked.with(keyId, { keyId, sourceGroupIds }),
      };
    }
  }
};

const withKey = ({ keys, issuers, revoked }: KeyRing, key: LivingKey): KeyRing => ({
  keys: keys.with(key.keyId, key),
  issuers: mayIssue(key) ? issuers.with(key.keyId, key) : issuers,
  revoked,
});
