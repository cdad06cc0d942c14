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
  /** Memory limits: number of states, and total number of events folded into them. */
  readonly most?: { readonly count: number; readonly weight: number };
  /** Minimum length of a cached stream: reading a shorter one from its beginning costs no more than reading its end. */
  readonly from?: number;
}

const MOST = { count: 10_000, weight: 500_000 };
const FROM = 32;

export const createStateCache = ({ most = MOST, from = FROM }: StateCacheOptions = {}): StateCache => {
  const entries = createRecentlyUsed<CachedState<unknown> & { readonly weight: number }>(most);
  const keyOf = createKeys();
  return {
    find: <Event, State>(fold: Fold<Event, State>, stream: string) =>
      entries.get(keyOf(fold, stream)) as CachedState<State> | undefined,
    keep: (fold, stream, found) => {
      const length = Number(found.revision) + 1;
      const key = keyOf(fold, stream);
      const before = entries.get(key);
      if (length < from || (before !== undefined && before.revision >= found.revision)) return;
      entries.put(key, { ...found, weight: length });
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
