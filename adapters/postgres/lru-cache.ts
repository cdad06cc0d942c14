export interface LruCache<Value> {
  /** Returns the value and marks it as the most recently used. */
  readonly get: (key: string) => Value | undefined;
  /** Adds or replaces a value; evicts the least recently used values until the rest fits. */
  readonly set: (key: string, value: Value) => void;
}

/** A cache of values by key that holds at most `maxBytes`. */
export const createLruCache = <Value>(
  maxBytes: number,
  bytesOf: (value: Value) => number,
): LruCache<Value> => {
  /** Least recently used first. */
  const values = new Map<string, Value>();
  let size = 0;
  const remove = (key: string): void => {
    const known = values.get(key);
    if (known !== undefined) size -= bytesOf(known);
    values.delete(key);
  };
  return {
    get: (key) => {
      const known = values.get(key);
      if (known === undefined) return undefined;
      values.delete(key);
      values.set(key, known);
      return known;
    },
    set: (key, value) => {
      remove(key);
      values.set(key, value);
      size += bytesOf(value);
      for (const oldest of values.keys()) {
        if (size <= maxBytes) break;
        remove(oldest);
      }
    },
  };
};
