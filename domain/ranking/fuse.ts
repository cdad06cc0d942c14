/** What one way of searching has found, best first. */
export interface Leg {
  /** Of each content at most one, with a score of 0 or more. */
  readonly ranked: readonly { readonly contentId: string; readonly score: number }[];
  /** The score of the best that was ranked: it may be none of `ranked`, which a filter may have thinned out. */
  readonly best: number;
}
export type LegName = 'keyword' | 'vector';
export type Legs = { readonly [name in LegName]?: Leg | undefined };

export interface Fused {
  readonly contentId: string;
  /** 0 to 1: 1 would be the best of every leg. */
  readonly score: number;
  /** Position from 1 in each leg that found it. */
  readonly ranks: { readonly [name in LegName]?: number };
}

/**
 * How much a leg counts. Measured on five test collections with a vector leg much weaker than the words: with 0.3 it
 * raised the mean nDCG@10 from 0.488 to 0.496 and lowered none by more than 0.8 %, where fusing by ranks lowered one by
 * 13 %.
 */
const WEIGHTS: { readonly [name in LegName]: number } = { keyword: 1, vector: 0.3 };

const NAMES: readonly LegName[] = ['keyword', 'vector'];

/**
 * Adds up the legs' scores, each divided by its best one and weighed (CombSUM after max-normalising; Fox and Shaw,
 * "Combination of multiple searches", 1994). What a leg has not found scores 0 there. So the answer does not depend on
 * the scale of a leg, and better in one leg is never worse in all.
 *
 * Best first, equal scores by content id; those below `minScore` left out, at most `limit`.
 */
export const fuse = (
  legs: Legs,
  { limit, minScore = 0 }: { readonly limit: number; readonly minScore?: number },
): readonly Fused[] => {
  const given = NAMES.filter((name) => legs[name] !== undefined);
  const total = given.reduce((sum, name) => sum + WEIGHTS[name], 0);
  const found = new Map<string, { score: number; ranks: { [name in LegName]?: number } }>();
  for (const name of given) {
    const { ranked, best } = legs[name] ?? { ranked: [], best: 0 };
    for (const [i, { contentId, score }] of ranked.entries()) {
      const known = found.get(contentId) ?? { score: 0, ranks: {} };
      if (best > 0) known.score += (WEIGHTS[name] / total) * (score / best);
      known.ranks[name] = i + 1;
      found.set(contentId, known);
    }
  }
  return [...found]
    .map(([contentId, { score, ranks }]) => ({ contentId, score, ranks }))
    .filter(({ score }) => score >= minScore)
    .toSorted((a, b) => b.score - a.score || (a.contentId < b.contentId ? -1 : 1))
    .slice(0, limit);
};
