export interface SideBySide {
  /** Median over the rounds of ours over rival. */
  readonly ratio: number;
  readonly ours: number;
  readonly rival: number;
  /** What each round measured, ours and then the rival. */
  readonly runs: readonly (readonly [ours: number, rival: number])[];
}

/**
 * Measures two things in turn, in random order within each round, so that what else goes on in the machine meets both
 * alike. The ratio is taken within a round, where it is nearest to the same conditions.
 */
export const sideBySide = async (
  rounds: number,
  ours: () => Promise<number>,
  rival: () => Promise<number>,
): Promise<SideBySide> => {
  const runs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const oursFirst = Math.random() < 0.5;
    const first = await (oursFirst ? ours : rival)();
    const second = await (oursFirst ? rival : ours)();
    const [a, b] = oursFirst ? [first, second] : [second, first];
    runs.push([Math.round(a * 10) / 10, Math.round(b * 10) / 10]);
  }
  return {
    ratio: median(runs.map(([a, b]) => a / b)),
    ours: median(runs.map(([a]) => a)),
    rival: median(runs.map(([, b]) => b)),
    runs,
  };
};

/** Calls per second of `lanes` loops that call `act` again and again for `ms`; what is under way then is waited for. */
export const rateOf = async (
  lanes: number,
  ms: number,
  act: (lane: number) => Promise<void>,
): Promise<number> => {
  const begun = performance.now();
  let calls = 0;
  const loop = async (lane: number): Promise<void> => {
    while (performance.now() - begun < ms) {
      await act(lane);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => loop(lane)));
  return (calls * 1000) / (performance.now() - begun);
};

/** The middle value, of an even number the mean of the two in the middle. @throws when there is none */
export const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
};

/** The nearest-rank percentile: the least value that `share` of all do not exceed. @throws when there is none */
export const percentile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
};
