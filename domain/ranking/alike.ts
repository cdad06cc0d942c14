import { brevityOf } from './closer-look.ts';
import { type Scored, sharingOf } from './page-evidence.ts';

/** Hits that speak for those like them: the first so many. With 30 and 50 nothing more was found. */
export const ALIKE_OF = 20;
/** Of the others, those that speak for a hit: what is like it and scores well. Between 3 and 10 little changed. */
const NEIGHBOURS = 5;
/** What their mean counts beside the 1 of a hit's own score. Likeness is seldom above 0.4. */
const WEIGHT = 1.25;

/** How alike two hits are, by their places: 0 to 1. */
export type LikenessOf = (one: number, other: number) => number;

/**
 * How much hits like it count for a hit: 0 to 1.25. Nothing for a short query, which names a thing or asks one question: a
 * sentence tells more there, see `brevityOf`. And nothing where pages have several hits: there pages speak for their hits
 * already, and what is like a passage is mostly the same of another thing.
 *
 * @param terms of the query
 * @param pages of the hits, best first
 */
export const weightOfAlike = (terms: number, pages: readonly string[]): number =>
  WEIGHT * (1 - brevityOf(terms)) * (1 - sharingOf(pages));

/**
 * What answers a question is often alike: a hit is the likelier to answer it the more it is like others that score well
 * (van Rijsbergen's cluster hypothesis; one step of smoothing, with the nearest five, of what Diaz, "Regularizing ad hoc
 * retrieval scores", 2005, solves for all).
 *
 * @param hits best first, their scores from 0 to 1
 * @param likeness of the first 20
 * @returns their scores in the same order, and no more in order: the best is what the best was, and none of those behind the first 20
 *   comes before one of them
 */
export const withAlike = (
  hits: readonly Scored[],
  likeness: LikenessOf,
  weight: number,
): readonly number[] => {
  const first = hits.slice(0, ALIKE_OF);
  const raised = first.map(({ score }, i) => {
    const said = first.map((other, j) => (i === j ? 0 : likeness(i, j) * other.score));
    const nearest = said.toSorted((a, b) => b - a).slice(0, NEIGHBOURS);
    return score + (weight * nearest.reduce((sum, one) => sum + one, 0)) / NEIGHBOURS;
  });
  const highest = Math.max(0, ...raised);
  const scale = highest > 0 ? (first[0]?.score ?? 0) / highest : 1;
  return hits.map(({ score }, i) => (raised[i] ?? score) * scale);
};
