export interface LruCache<Value> {
  /** Makes it the most recently used. */
  readonly get: (key: string) => Value | undefined;
  /** Adds or replaces a value; the least recently used ones go until the rest fits. */
  readonly set: (key: string, value: Value) => void;
}

/** Values by keys, as many as fit in `maxBytes`. */
export const createLruCache = <Value>(
  maxBytes: number,
  bytesOf: (value: Value) => number,
): LruCache<Value> => {
  /** The least recently used first. */
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
