import { isNothingButIdentifiers } from './fuse.ts';

/**
 * Hits of a ranking that are looked at more closely: the first so many. Each costs; 15 gained no more than 12, and with 10
 * some answers lacked what is asked for.
 */
export const LOOKED_AT = 12;
/** What the best sentence of a content counts beside the 1 of its rank's score. */
const WEIGHT = 0.4;
/** The same of the second look, in place of that. */
const WEIGHT_AGAIN = 0.6;
/** What the title of a page counts that has the terms of the query and no others. */
const WEIGHT_OF_TITLES = 0.2;
/** Terms of a query up to which it counts in full, and from which on not at all. */
const SHORT = 4;
const LONG = 6;

/**
 * How short a query of so many terms is: 1 up to four, 0 from six on. A short query names a thing or asks one question,
 * which one sentence can answer. No single sentence holds the many words of a long one; there the words of the whole
 * content say more.
 */
export const brevityOf = (terms: number): number => Math.max(0, Math.min(1, (LONG - terms) / (LONG - SHORT)));

/**
 * How much the best sentences count for a query of so many terms: 0 to 0.4. Where pages have several hits, a long one is looked at
 * as well: people ask a manual in whole sentences, and one paragraph of it answers.
 *
 * @param sharing as `sharingOf` has it
 */
export const weightOfLook = (terms: number, sharing = 0): number => {
  const brevity = brevityOf(terms);
  return WEIGHT * (brevity + (1 - brevity) * sharing);
};

/** How much they count once more, for hits at the places that they have by the first look: 0 to 0.6. */
export const weightOfSecondLook = (sharing: number): number => WEIGHT_AGAIN * sharing;

/**
 * How much phrases of the query count, half of what best sentences do: 0 to 0.2. Parts of identifiers are no phrase; an
 * identifier is found as a whole.
 */
export const weightOfPhrases = (query: string, terms: number, sharing = 0): number =>
  isNothingButIdentifiers(query) ? 0 : weightOfLook(terms, sharing) / 2;

/** How much it counts that the title of a page has the terms of the query: 0 to 0.2. */
export const weightOfTitles = (sharing: number): number => WEIGHT_OF_TITLES * sharing;

/**
 * How much it counts that a hit defines what the query names: 0 to 0.2. It is said against sentences that have its other
 * words, so as much as these count. With 0.3 and 0.4 lists of names came first.
 */
export const weightOfDefinitions = (terms: number): number => weightOfLook(terms) / 2;

/** A score of 0 to 1 of the ranking, and one of 0 to 1 by the best sentence, as one: 0 to 1. */
export const afterLook = (score: number, bySentence: number, weight: number): number =>
  (score + weight * bySentence) / (1 + weight);

/** What must have been before at least, for the score after something of this weight to be so much. */
export const leastBefore = (score: number, weight: number): number =>
  Math.max(0, score * (1 + weight) - weight);
