/** When what a leader has written is in the logs of the others too, and is shown and confirmed from then on. */
export interface Replication {
  /** Runs it when everything before has been, at once where nothing lags; the promise resolves after that. */
  readonly after: (show: () => void) => Promise<void>;
  /** From now on each write takes so many turns of the event loop; 0: none. */
  readonly lag: (turns: number) => void;
}

export const createReplication = (): Replication => {
  let [turns, waiting] = [0, 0];
  let before = Promise.resolve();
  const next = async (earlier: Promise<void>, show: () => void): Promise<void> => {
    await Promise.all([earlier, turnsOf(turns)]);
    waiting -= 1;
    show();
  };
  return {
    after: (show) => {
      if (turns === 0 && waiting === 0) {
        show();
        return before;
      }
      waiting += 1;
      before = next(before, show);
      return before;
    },
    lag: (each) => void (turns = each),
  };
};

const turnsOf = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
};
