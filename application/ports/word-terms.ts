/**
 * The term under which each of these words is found, in their order; the empty text for one that is never searched for,
 * such as a stop word. Words as `wordsOf` has them. What the index calls the same is the same here.
 */
export type WordTerms = (words: readonly string[]) => Promise<readonly string[]>;
