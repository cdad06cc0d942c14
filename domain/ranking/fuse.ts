import { countWords, firstCharacters, wordsOf } from '../shared/words.ts';

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
 * for the same weights better in one leg is never worse in all. A convex combination of scores (Bruch, Gai and Ingber,
 * "An analysis of fusion functions for hybrid retrieval", 2023).
 *
 * One leg alone, or with another that has found nothing, keeps its scores, relative to its best: there is nothing to be compared with.
 *
 * Best first, equal scores by content id; those below `minScore` left out, at most `limit`.
 */
export const fuse = (
  legs: Legs,
  { limit, minScore = 0 }: { readonly limit: number; readonly minScore?: number },
): readonly Fused[] => {
  const given = NAMES.filter((name) => legs[name] !== undefined);
  const weights = weightsOf(legs);
  const found = new Map<string, { score: number; ranks: { [name in LegName]?: number } }>();
  for (const name of given) {
    const { ranked, best, floor } = legs[name] ?? { ranked: [], best: 0, floor: 0 };
    const share = shareOf(best, given.length > 1 ? floor : 0);
    for (const [i, { contentId, score }] of ranked.entries()) {
      const known = found.get(contentId) ?? { score: 0, ranks: {} };
      known.score += share(score) * weights[name];
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

/** The rank by words whose score, relative to the first, is the weight of vectors. */
const FLAT_AT = 10;
/** Vectors weigh at most as much as words. */
const MOST_OF_VECTORS = 0.5;

/**
 * A name or a title is in few contents: scores by words fall steeply, and words decide. Many contents share the words of
 * a question: scores are flat, and vectors decide as much as words.
 */
const weightsOf = ({ keyword, vector }: Legs): { readonly [name in LegName]: number } => {
  if (vector === undefined) return { keyword: 1, vector: 0 };
  const first = keyword?.ranked[0]?.score ?? 0;
  if (keyword === undefined || first <= 0) return { keyword: 0, vector: 1 };
  const last = keyword.ranked[Math.min(FLAT_AT, keyword.ranked.length) - 1]?.score ?? 0;
  const ofVectors = Math.min(MOST_OF_VECTORS, last / first);
  return { keyword: 1 - ofVectors, vector: ofVectors };
};

/** Where a score lies, from 0 at the floor to 1 at the best. Where both are one, only the best counts. */
const shareOf =
  (best: number, floor: number) =>
  (score: number): number => {
    if (best <= floor) return best > 0 && score >= best ? 1 : 0;
    return Math.min(1, Math.max(0, (score - floor) / (best - floor)));
  };

/** The ways of searching that are fused. */
export type LegName = 'keyword' | 'vector';
/** Places in which a source has few: what is seen without scrolling. */
const FIRST = 10;
/** Contents of a source in these. */
const MOST = 2;

/** What the places depend on. */
export interface Placed {
  readonly sourceId: string;
  readonly text: string;
}

/**
 * Pages, not passages: of contents that are word for word the same only the best, and at most two of a source among the
 * first ten, as long as others can take the places. The rest follow in their order.
 *
 * @param best best first
 */
export const collapse = <T>(best: readonly T[], placed: (one: T) => Placed): readonly T[] => {
  const seen = new Set<string>();
  const texts = new Set<string>();
  const beginnings = beginningsOf(best.map((one) => placed(one).text));
  const counts = countWords(beginnings);
  const before = new Map<string, number>();
  const first: T[] = [];
  const rest: T[] = [];
  for (const [i, one] of best.entries()) {
    const { sourceId, text } = placed(one);
    // Texts that begin differently are not the same.
    if ((counts.get(beginnings[i] ?? '') ?? 0) > 1) {
      // Pages that include the same passage have the same text of it.
      if (texts.has(text)) continue;
      texts.add(text);
      const words = wordsOf(text).join(' ') || text;
      if (seen.has(words)) continue;
      seen.add(words);
    }
    const count = before.get(sourceId) ?? 0;
    const fits = first.length < FIRST && count < MOST;
    if (fits) before.set(sourceId, count + 1);
    (fits ? first : rest).push(one);
  }
  return [...first, ...rest];
};

/** How many characters of words make a beginning: passages of one manual begin alike. Most texts differ sooner. */
const CHARACTERS = 64;
const FEW = 12;

/** Equal for equal words. */
const beginningsOf = (texts: readonly string[]): readonly string[] => {
  const few = texts.map((text) => firstCharacters(text, FEW));
  const counts = countWords(few);
  return texts.map((text, i) => {
    const beginning = few[i] as string;
    return (counts.get(beginning) ?? 0) > 1 ? firstCharacters(text, CHARACTERS) : beginning;
  });
};
