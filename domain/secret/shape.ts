import type { StateShape } from '../shared/decider.ts';
import { mapOfAll } from '../shared/persistent-map.ts';
import type { KeptSecret, SecretState, SecretUse } from './state.ts';

type Written =
  | Exclude<SecretState, KeptSecret>
  | (Omit<KeptSecret, 'uses'> & { readonly uses: readonly SecretUse[] });

export const secretShape: StateShape<SecretState> = {
  name: 'secret',
  version: 1,
  toJson: (state): Written =>
    state.status === 'kept' ? { ...state, uses: Array.from(state.uses.values()) } : state,
  fromJson: (json) => {
    const written = json as Written;
    if (written.status !== 'kept') return written;
    return { ...written, uses: mapOfAll(written.uses, ({ dataSourceId }) => dataSourceId) };
  },
  entries: (state) => (state.status === 'kept' ? 1 + state.uses.size : 1),
};
