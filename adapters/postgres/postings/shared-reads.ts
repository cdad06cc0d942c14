/** Reads what is wanted of what never changes, by keys; what is not found has none in the answer. */
export type SharedReads<Found> = (
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
) => Promise<ReadonlyMap<string, Found>>;

/**
 * What others are reading already is waited for and not read again: searches that come all at once to a program that has
 * just started want the same. They fail together too, if the server does.
 */
export const createSharedReads = <Found>(): SharedReads<Found> => {
  const underWay = new Map<string, Promise<ReadonlyMap<string, Found>>>();
  return async (keys, read) => {
    const own = keys.filter((key) => !underWay.has(key));
    if (own.length > 0) {
      const reading = read(own).finally(() => own.forEach((key) => underWay.delete(key)));
      for (const key of own) underWay.set(key, reading);
    }
    const readings = keys.map((key) => underWay.get(key) as Promise<ReadonlyMap<string, Found>>);
    const found = await Promise.all(readings);
    return new Map(
      keys.flatMap((key, i) => {
        const one = found[i]?.get(key);
        return one === undefined ? [] : [[key, one] as const];
      }),
    );
  };
};
