/** A cache that keeps the most recently used values (LRU). */
export interface RecentlyUsed<V extends { readonly weight: number }> {
  /** Counts as a use. */
  readonly get: (key: string) => V | undefined;
  readonly put: (key: string, value: V) => void;
  readonly drop: (key: string) => void;
}

/** Holds at most `most.count` values with a total weight of at most `most.weight`, but always the newest value. */
export const createRecentlyUsed = <V extends { readonly weight: number }>(most: {
  readonly count: number;
  readonly weight: number;
}): RecentlyUsed<V> => {
  /** Least recently used first. */
  const values = new Map<string, V>();
  let weight = 0;

  const drop = (key: string): void => {
    weight -= values.get(key)?.weight ?? 0;
    values.delete(key);
  };
  const isFull = (): boolean => values.size > 1 && (values.size > most.count || weight > most.weight);
  const put = (key: string, value: V): void => {
    drop(key);
    values.set(key, value);
    weight += value.weight;
    for (const eldest of values.keys()) {
      if (!isFull()) return;
      drop(eldest);
    }
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    put,
    drop,
  };
};
