/** A content by its number, and how well it fits. */
export interface Scored {
  readonly no: number;
  readonly score: number;
}

/** At least the `limit` best of these, more where the last are equal, best first. */
export const bestScores = (
  numbers: ArrayLike<number>,
  scores: Float64Array,
  limit: number,
): readonly Scored[] => {
  const known = scores.filter((score) => !Number.isNaN(score)).toSorted();
  const cut = known[Math.max(0, known.length - limit)] ?? Infinity;
  const best: Scored[] = [];
  for (const [i, score] of scores.entries()) if (score >= cut) best.push({ no: numbers[i] ?? 0, score });
  return best.toSorted((a, b) => b.score - a.score);
};
