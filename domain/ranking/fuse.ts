import { EVEN, type LegName, type LegWeights } from './leg-weights.ts';

/** What one way of searching has found, best first. */
export interface Leg {
  /** Of each content at most one, with a score of 0 or more. */
  readonly ranked: readonly { readonly contentId: string; readonly score: number }[];
  /** The score of the best that was ranked: it may be none of `ranked`, which a filter may have thinned out. */
  readonly best: number;
  /** The score that tells nothing, because what has nothing to do with the query has it too; at most `best`. */
  readonly floor: number;
}
export type Legs = { readonly [name in LegName]?: Leg | undefined };

export interface Fused {
  readonly contentId: string;
  /** 0 to 1: 1 would be the best of every leg. */
  readonly score: number;
  /** Position from 1 in each leg that found it. */
  readonly ranks: { readonly [name in LegName]?: number };
}

const NAMES: readonly LegName[] = ['keyword', 'vector'];

/**
 * Adds up what the legs say of a content: where its score lies between the leg's floor and its best, weighed. What a leg
 * has not found has 0 there. So the answer does not depend on where a leg's scores begin nor on how far they reach, and
 * better in one leg is never worse in all. A convex combination of scores (Bruch, Gai and Ingber, "An analysis of fusion
 * functions for hybrid retrieval", 2023).
 *
 * One leg alone keeps its scores, relative to its best: there is nothing to be compared with.
 *
 * Best first, equal scores by content id; those below `minScore` left out, at most `limit`.
 */
export const fuse = (
  legs: Legs,
  {
    limit,
    minScore = 0,
    weights = EVEN,
  }: { readonly limit: number; readonly minScore?: number; readonly weights?: LegWeights },
): readonly Fused[] => {
  const given = NAMES.filter((name) => legs[name] !== undefined);
  const total = given.reduce((sum, name) => sum + weights[name], 0);
  const found = new Map<string, { score: number; ranks: { [name in LegName]?: number } }>();
  for (const name of given) {
    const { ranked, best, floor } = legs[name] ?? { ranked: [], best: 0, floor: 0 };
    const share = shareOf(best, given.length > 1 ? floor : 0);
    for (const [i, { contentId, score }] of ranked.entries()) {
      const known = found.get(contentId) ?? { score: 0, ranks: {} };
      known.score += (weights[name] / total) * share(score);
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

/** Where a score lies, from 0 at the floor to 1 at the best. Where both are one, only the best counts. */
const shareOf =
  (best: number, floor: number) =>
  (score: number): number => {
    if (best <= floor) return best > 0 && score >= best ? 1 : 0;
    return Math.min(1, Math.max(0, (score - floor) / (best - floor)));
  };
