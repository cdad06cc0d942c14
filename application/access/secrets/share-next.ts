/**
 * Has callers share what they read: those who come while a read is under way share the next one. So each sees what was so
 * when it called, or later, however many there are, and never waits for more than two reads.
 */
export const shareNext = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const reading = read().finally(() => {
      if (underWay === reading) underWay = null;
    });
    underWay = reading;
    return reading;
  };
  return () => {
    if (underWay === null) return next ?? begin();
    // One that failed says nothing of the next.
    next ??= underWay.then(begin, begin);
    return next;
  };
};
