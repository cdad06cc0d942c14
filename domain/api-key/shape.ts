import type { StateShape } from '../shared/decider.ts';
import { mapOfAll } from '../shared/persistent-map.ts';
import { type KeyRing, type LivingKey, mayIssue, type RevokedKey } from './state.ts';

const idOf = ({ keyId }: { readonly keyId: string }): string => keyId;

interface Written {
  readonly keys: readonly LivingKey[];
  readonly revoked: readonly RevokedKey[];
}

/** Hashes of keys, like the events hold them; a key itself is nowhere. */
export const keyRingShape: StateShape<KeyRing> = {
  name: 'apiKey',
  version: 2,
  toJson: ({ keys, revoked }): Written => ({
    keys: Array.from(keys.values()),
    revoked: Array.from(revoked.values()),
  }),
  fromJson: (json) => {
    const { keys, revoked } = json as Written;
    return {
      keys: mapOfAll(keys, idOf),
      issuers: mapOfAll(keys.filter(mayIssue), idOf),
      revoked: mapOfAll(revoked, idOf),
    };
  },
  entries: ({ keys, revoked }) => 2 * keys.size + revoked.size,
};
