/** A question that comes while texts are computed waits for about as long. */
const RUN_MS = 400;
const LEAST_TOKENS = 64;
/** What is kept of a run at once grows with them: a bound for memory. */
const MOST_TOKENS = 4_096;

/** How many tokens are computed in one run: as many as take about 400 ms, by how long earlier runs took. */
export interface Pace {
  readonly tokens: () => number;
  readonly took: (tokens: number, ms: number) => void;
}

export const createPace = (): Pace => {
  let tokens = 512;
  return {
    tokens: () => tokens,
    took: (done, ms) => {
      const aim = (done * RUN_MS) / Math.max(1, ms);
      // Half-way: one run that had to wait for the processor says little.
      tokens = Math.round(Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, (tokens + aim) / 2)));
    },
  };
};
