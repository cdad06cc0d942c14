/** Looks for signs of life while something is owed. */
export interface SilenceWatch {
  /** Something is owed from now on. */
  readonly begin: () => void;
  readonly heard: () => void;
  /** Nothing is owed any more. */
  readonly end: () => void;
}

/**
 * Calls `silent` where nothing is heard for `mostMs()`, though it is asked every `everyMs`. Looks are counted and not the
 * clock: while this thread itself or the whole machine stands still, nobody is silent.
 *
 * @param mostMs may change with what is awaited
 */
export const watchSilence = (
  { everyMs, mostMs }: { readonly everyMs: number; readonly mostMs: () => number },
  { ask, silent }: { readonly ask: () => void; readonly silent: () => void },
): SilenceWatch => {
  let looking: NodeJS.Timeout | undefined;
  let missed = 0;
  const end = (): void => {
    clearInterval(looking);
    looking = undefined;
  };
  const look = (): void => {
    if (missed * everyMs >= mostMs()) {
      end();
      silent();
      return;
    }
    missed += 1;
    ask();
  };
  return {
    begin: () => {
      missed = 0;
      looking ??= setInterval(look, everyMs).unref();
    },
    heard: () => {
      missed = 0;
    },
    end,
  };
};
