import { type Highlight, highlightsOf, wordPlacer } from '../../domain/search/highlights.ts';
import { wordsOf } from '../../domain/shared/words.ts';
import type { SearchIndex } from '../ports/search-index.ts';

const MOST = 100;

/**
 * Where each of the texts has words of the query, or other forms of them: at most 100 places each, in the order of the
 * text. Of words that cannot be a form of one of the query's, as they begin with another letter, nobody is asked.
 */
export const createHighlight =
  (terms: SearchIndex['terms']) =>
  async (query: string, texts: readonly string[]): Promise<readonly (readonly Highlight[])[]> => {
    const asked = [...new Set(wordsOf(query))];
    const wanted = new Set((await terms(asked)).filter((term) => term !== ''));
    if (wanted.size === 0) return texts.map(() => []);
    const initials = new Set(asked.map((word) => word[0] ?? ''));
    const placed = texts.map(wordPlacer(initials));
    const words = [...new Set(placed.flatMap((ofText) => ofText.map(({ word }) => word)))];
    const found = await terms(words);
    const matching = new Set(words.filter((_, i) => wanted.has(found[i] ?? '')));
    return placed.map((ofText) => highlightsOf(ofText, (word) => matching.has(word), MOST));
  };
