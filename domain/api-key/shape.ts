import { emptyMap } from '../shared/persistent-map.ts';
import { fold, type StateShape } from '../shared/decider.ts';
import { evolve, initial, type KeyRing, type LivingKey, type RevokedKey } from './state.ts';

interface Written {
  readonly keys: readonly LivingKey[];
  readonly revoked: readonly RevokedKey[];
}

/** Hashes of keys, like the events hold them; a key itself is nowhere. */
export const keyRingShape: StateShape<KeyRing> = {
  name: 'apiKey',
  version: 1,
  toJson: ({ keys, revoked }): Written => ({
    keys: Array.from(keys.values()),
    revoked: Array.from(revoked.values()),
  }),
  fromJson: (json) => {
    const { keys, revoked } = json as Written;
    const issued = keys.map((key) => ({ type: 'ApiKeyIssued', ...key }) as const);
    return {
      ...fold({ evolve }, issued, initial),
      revoked: revoked.reduce((map, key) => map.with(key.key_id, key), emptyMap<RevokedKey>()),
    };
  },
  entries: ({ keys, revoked }) => 2 * keys.size + revoked.size,
};
