import { wordsOf } from '../shared/words.ts';
import { titleParts } from './names.ts';

/** Hits among which pages are looked for that are called like the query: the first so many. */
export const TITLED_OF = 30;
/** What it counts beside the 1 of a hit's score that its page is called like the query. */
const WEIGHT = 0.4;

/** A hit, or what is asked of it here. */
export interface Titled {
  readonly page: string;
  readonly title: string;
  readonly score: number;
}

/**
 * Whoever types the title of a page, all of it and nothing else, looks for that page, and for no other that says much
 * of the same. The scores of hits, those that a page called like the query has first raised before all others; the same
 * where no page is. A title may have its number and what all of a site end in beside, as `titleNames` reads them.
 *
 * @param hits best first, their scores from 0 to 1
 * @returns their scores in the same order, from 0 to 1, and no more in order
 */
export const withTitles = (query: string, hits: readonly Titled[]): readonly number[] => {
  const asked = wordsOf(query).join(' ');
  const raised = new Set<string>();
  const isCalledSo = hits.slice(0, TITLED_OF).map(({ page, title }) => {
    if (asked === '' || raised.has(page) || !isTitle(asked, title)) return false;
    raised.add(page);
    return true;
  });
  if (raised.size === 0) return hits.map(({ score }) => score);
  return hits.map(({ score }, i) => (score + (isCalledSo[i] === true ? WEIGHT : 0)) / (1 + WEIGHT));
};

/** Most titles do not have the query in them, which is soon seen. */
const isTitle = (asked: string, title: string): boolean =>
  ` ${wordsOf(title).join(' ')} `.includes(` ${asked} `) &&
  titleParts(title).some((part) => wordsOf(part).join(' ') === asked);
