/** Runs what must not be waited for, one at a time per key; what comes while one runs is left out. */
export const createBackground = () => {
  const running = new Map<string, Promise<void>>();
  const begin = (key: string, run: () => Promise<void>): void => {
    if (running.has(key)) return;
    running.set(
      key,
      run().finally(() => running.delete(key)),
    );
  };
  const settled = async (): Promise<void> => {
    await Promise.all(running.values());
  };
  return Object.assign(begin, { settled });
};
