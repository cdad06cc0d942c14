/** The union of two reaches, which are lists of source groups; null is every group. */
export const union = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null =>
  a === null || b === null ? null : [...new Set([...a, ...b])];
