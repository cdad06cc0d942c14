/** At most one question runs and one waits: a call gets the answer to a question that began after the call. */
export const sharing = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  const run = async (): Promise<T> => {
    try {
      return await ask();
    } finally {
      running = null;
    }
  };
  const start = (): Promise<T> => (running = run());
  const startAfter = async (earlier: Promise<T>): Promise<T> => {
    await earlier.catch(() => {});
    next = null;
    return start();
  };

  return () => {
    if (next) return next;
    return running ? (next = startAfter(running)) : start();
  };
};
