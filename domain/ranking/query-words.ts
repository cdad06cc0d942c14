import { countWords, wordsOf } from '../shared/words.ts';
import { compoundsOf } from './identifiers.ts';
import { queryNames } from './names.ts';
import { saysNothing, stopPhrases } from './stop-phrases.ts';

/**
 * What a query asks an index for, and how often it says it: its words, its identifiers, and what may be names, these by
 * how much of the query they are. Of stop words alone, their phrases too.
 */
export const queryWords = (query: string): ReadonlyMap<string, number> => {
  const words = wordsOf(query);
  const phrases = saysNothing(words) ? stopPhrases(words) : [];
  return new Map([...countWords([...words, ...compoundsOf(query), ...phrases]), ...queryNames(query)]);
};
