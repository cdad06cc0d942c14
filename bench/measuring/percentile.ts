/** The nearest-rank percentile: the least value that `share` of all do not exceed. @throws when there is none */
export const percentile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
};
