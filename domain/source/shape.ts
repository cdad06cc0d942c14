import { plainShape, type StateShape } from '../shared/decider.ts';
import type { KnownSource, SourceState } from './state.ts';

/** JSON has no infinity: the generation of a source whose data source was deleted is written as null. */
export const sourceShape: StateShape<SourceState> = {
  ...plainShape<SourceState>('source', 4),
  toJson: (state) =>
    state.status === 'none' || state.generation !== Infinity ? state : { ...state, generation: null },
  fromJson: (json) => {
    const state = json as { readonly status: 'none' } | WrittenSource;
    return state.status === 'none' ? state : { ...state, generation: state.generation ?? Infinity };
  },
};

type WrittenSource = Omit<KnownSource, 'generation'> & { readonly generation: number | null };
