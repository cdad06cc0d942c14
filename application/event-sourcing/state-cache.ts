import type { Decider } from '../../domain/shared/decider.ts';
import { createRecentlyUsed } from './recently-used.ts';

/** How a stream is folded. */
export type Fold<Event, State, Category extends string = string> = Pick<
  Decider<never, Event, State, Category>,
  'category' | 'initial' | 'evolve'
>;

/** A state, and the event up to which it was folded: it is valid as long as that event is in the stream. */
export interface CachedState<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly eventId: string;
  /** The owner of the stream. */
  readonly tenant: string;
}

/** The newest states that this process has folded, by fold and stream. A state is never changed, so it can be shared. */
export interface StateCache {
  readonly find: <Event, State>(fold: Fold<Event, State>, stream: string) => CachedState<State> | undefined;
  /** Keeps the state unless the cached one is as new. */
  readonly keep: <Event, State>(fold: Fold<Event, State>, stream: string, found: CachedState<State>) => void;
  /** Drops a state that was folded from another log than the stream is in now. */
  readonly drop: <Event, State>(fold: Fold<Event, State>, stream: string) => void;
}

export interface StateCacheOptions {
  /** Bounds of memory: states, and events that all of them together were folded from. */
  readonly most?: { readonly count: number; readonly weight: number };
  /** A shorter stream is not cached: reading it from its beginning costs the same as reading its end. */
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

/** One key for each stream and fold: two folds are the same where `evolve` is. */
const createKeys = () => {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return ({ evolve }: { readonly evolve: object }, stream: string): string => {
    const number = numbers.get(evolve) ?? (last += 1);
    numbers.set(evolve, number);
    return `${number} ${stream}`;
  };
};
