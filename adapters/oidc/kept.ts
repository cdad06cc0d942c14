/** How long a value serves, and how long nothing is read again after a reading, in milliseconds. */
export interface Keeping {
  readonly maxAgeMs: number;
  readonly pauseMs: number;
}

export interface Kept<T> {
  /** The value, read again where it is too old. @throws what the reading throws, or has thrown within the pause */
  readonly current: () => Promise<T>;
  /**
   * Another value than this one; undefined when the last reading, within the pause, has brought none.
   *
   * @throws what the reading throws, or has thrown within the pause
   */
  readonly newer: (than: T) => Promise<T | undefined>;
}

/** A value of another server: all callers share a reading, and no number of them has it read more often. */
export const kept = <T>(
  read: () => Promise<T>,
  { maxAgeMs, pauseMs }: Keeping,
  now: () => number,
): Kept<T> => {
  let good: { readonly value: T; readonly until: number } | undefined;
  let last: { readonly at: number; readonly failure?: Error } | undefined;
  let reading: Promise<T> | undefined;

  const readAgain = async (): Promise<T> => {
    const at = now();
    try {
      const value = await read();
      good = { value, until: at + maxAgeMs };
      last = { at };
      return value;
    } catch (error) {
      last = { at, failure: error as Error };
      throw error;
    } finally {
      reading = undefined;
    }
  };
  /** Undefined within the pause after a reading. */
  const readUnlessPausing = async (): Promise<T | undefined> => {
    if (reading !== undefined) return reading;
    if (last === undefined || now() - last.at >= pauseMs) return (reading = readAgain());
    if (last.failure !== undefined) throw last.failure;
    return undefined;
  };
  return {
    current: async () => {
      if (good !== undefined && now() < good.until) return good.value;
      return (await readUnlessPausing()) ?? good!.value;
    },
    newer: async (than) => (good !== undefined && good.value !== than ? good.value : readUnlessPausing()),
  };
};
