import { isNothingButIdentifiers } from './fuse.ts';

/** Hits of a ranking that speak for their pages: the first so many. */
export const PAGES_OF = 30;
/** What a page counts beside the 1 of a hit's own score. */
const WEIGHT = 0.3;
/** What the second hit of a page counts of what it scores; the third that much of the second, and so on. */
const FADES = 0.8;

export interface Scored {
  readonly score: number;
}

/**
 * How much pages count for a query: 0 to 0.3. Whoever types nothing but identifiers looks for the one passage that
 * defines them, and not for the page that uses them most.
 */
export const weightOfPages = (query: string): number => (isNothingButIdentifiers(query) ? 0 : WEIGHT);

/** Hits by which it is told whether pages have several: the first so many. */
const SHARING_OF = 20;
/** Of these, how many are the only ones of their pages where pages do not count as shared any more. */
const MIN_ALONE = 0.5;

/**
 * How far pages have several hits: 0 where each of the first 20 is the only one of its page, as with messages and abstracts,
 * and 1 where half of them are, or fewer, as in a manual.
 *
 * @param pages of the hits, best first
 */
export const sharingOf = (pages: readonly string[]): number => {
  const first = pages.slice(0, SHARING_OF);
  const counts = new Map<string, number>();
  for (const page of first) counts.set(page, (counts.get(page) ?? 0) + 1);
  const alone = first.filter((page) => counts.get(page) === 1).length / Math.max(1, first.length);
  return 1 - Math.max(0, (alone - MIN_ALONE) / (1 - MIN_ALONE));
};

/**
 * A page that has much of what is asked for is more likely to be meant than one where a single passage has it by
 * chance. The scores of hits with what their pages have in the first 30: the sum over the hits of the page, each further
 * one for less, relative to the best page. Where every page has one hit, nothing changes but for rounding.
 *
 * @param hits best first, their scores from 0 to 1
 * @returns their scores in the same order, from 0 to 1, and no more in order; behind the first 30 lessened alike
 */
export const withPages = <T extends Scored>(
  hits: readonly T[],
  pageOf: (hit: T) => string,
  weight: number,
): readonly number[] => {
  const pages = new Map<string, { sum: number; next: number }>();
  for (const hit of hits.slice(0, PAGES_OF)) {
    const { sum, next } = pages.get(pageOf(hit)) ?? { sum: 0, next: 1 };
    pages.set(pageOf(hit), { sum: sum + hit.score * next, next: next * FADES });
  }
  const best = Math.max(0, ...pages.values().map(({ sum }) => sum));
  return hits.map((hit, i) => {
    const share = i < PAGES_OF && best > 0 ? (pages.get(pageOf(hit))?.sum ?? 0) / best : 0;
    return (hit.score + weight * share) / (1 + weight);
  });
};
