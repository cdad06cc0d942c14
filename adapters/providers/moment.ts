/** The moment that a provider writes as ISO 8601, in Unix milliseconds; null: it writes none. */
export const momentIn = (value: unknown): number | null => {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  // Years that ISO 8601 writes with four digits: filters take no others.
  return ms >= 0 && ms < 253_402_300_800_000 ? ms : null;
};
