import type { Decider } from '../../domain/shared/decider.ts';
import { createRecentlyUsed } from './recently-used.ts';

/** How a stream is folded. */
export type Fold<Event, State, Category extends string = string> = Pick<
  Decider<never, Event, State, Category>,
  'category' | 'initial' | 'evolve'
>;

/** A state and the last event folded into it. The state is valid as long as the stream contains that event. */
export interface CachedState<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly eventId: string;
  /** The tenant that owns the stream. */
  readonly tenant: string;
}

/** The newest folded states of this process, by fold and stream. States are immutable, so they can be shared. */
export interface StateCache {
  readonly find: <Event, State>(fold: Fold<Event, State>, stream: string) => CachedState<State> | undefined;
  /** Stores the state unless the cached one has the same or a later revision. */
  readonly keep: <Event, State>(fold: Fold<Event, State>, stream: string, found: CachedState<State>) => void;
  /** Drops a state that was folded from another log. */
  readonly drop: <Event, State>(fold: Fold<Event, State>, stream: string) => void;
}

export interface StateCacheOptions {
  /** Memory limit: the total number of events folded into the states. */
  readonly most?: number;
  /** Minimum length of a cached stream: reading a shorter one from its beginning costs no more than reading its end. */
  readonly from?: number;
}

const MOST = 500_000;
const FROM = 32;
const lengthOf = ({ revision }: CachedState<unknown>): number => Number(revision) + 1;

export const createStateCache = ({ most = MOST, from = FROM }: StateCacheOptions = {}): StateCache => {
  const entries = createRecentlyUsed<CachedState<unknown>>(most, lengthOf);
  const keyOf = createKeys();
  return {
    find: <Event, State>(fold: Fold<Event, State>, stream: string) =>
      entries.get(keyOf(fold, stream)) as CachedState<State> | undefined,
    keep: (fold, stream, found) => {
      const key = keyOf(fold, stream);
      const before = entries.get(key);
      if (lengthOf(found) < from || (before !== undefined && before.revision >= found.revision)) return;
      entries.put(key, found);
    },
    drop: (fold, stream) => entries.drop(keyOf(fold, stream)),
  };
};

/** One key per stream and fold. Folds with the same `evolve` are the same fold. */
const createKeys = () => {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return ({ evolve }: { readonly evolve: object }, stream: string): string => {
    const number = numbers.get(evolve) ?? (last += 1);
    numbers.set(evolve, number);
    return `${number} ${stream}`;
  };
};
