/**
 * Waits for all of them, and no less where one fails: what is left of them must not write once their transaction has
 * ended. @throws what the first that failed did: others fail after it because of it
 */
export const allDone = async <T extends readonly unknown[]>(all: {
  readonly [K in keyof T]: Promise<T[K]>;
}): Promise<T> => {
  const done = Promise.all(all) as unknown as Promise<T>;
  // Handled below, and not before the others have ended.
  done.catch(() => {});
  await Promise.allSettled(all);
  return done;
};

/** One after the other. */
export const inOrder = async <Item, Result>(
  items: readonly Item[],
  step: (item: Item, i: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) results.push(await step(item, i));
  return results;
};
