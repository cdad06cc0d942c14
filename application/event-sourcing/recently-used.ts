/** A cache that keeps the most recently used values (LRU). */
export interface RecentlyUsed<V> {
  /** Counts as a use. */
  readonly get: (key: string) => V | undefined;
  readonly put: (key: string, value: V) => void;
  readonly drop: (key: string) => void;
}

/**
 * Holds values with a total weight of at most `most`, but always the newest value.
 *
 * @param weightOf a value, always the same; 1 by default
 */
export const createRecentlyUsed = <V>(
  most: number,
  weightOf: (value: V) => number = () => 1,
): RecentlyUsed<V> => {
  /** Least recently used first. */
  const values = new Map<string, V>();
  let weight = 0;

  const drop = (key: string): void => {
    const value = values.get(key);
    if (value !== undefined) weight -= weightOf(value);
    values.delete(key);
  };
  const put = (key: string, value: V): void => {
    drop(key);
    values.set(key, value);
    weight += weightOf(value);
    for (const eldest of values.keys()) {
      if (weight <= most || values.size === 1) return;
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
