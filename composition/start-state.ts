/** What a start still waits for, each with a short reason; anybody may read it. */
export interface StartState {
  readonly pending: () => Readonly<Record<string, string>>;
  readonly set: (pending: Readonly<Record<string, string>>) => void;
}

export const createStartState = (): StartState => {
  let now: Readonly<Record<string, string>> = { server: 'starting' };
  return {
    pending: () => now,
    set: (pending) => {
      now = pending;
    },
  };
};
