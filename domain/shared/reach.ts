/** What is told of two reaches together: source groups, null for every one. */
export const union = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null =>
  a === null || b === null ? null : [...new Set([...a, ...b])];
