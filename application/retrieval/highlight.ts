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
    const termsAsked = await terms(asked);
    const wanted = new Set(termsAsked.filter((term) => term !== ''));
    if (wanted.size === 0) return texts.map(() => []);
    // Stop words have no term, and most words of a text begin as one of them.
    const initials = new Set(asked.filter((_, i) => termsAsked[i] !== '').map((word) => word[0] ?? ''));
    const placed = texts.map(wordPlacer(initials));
    const distinct = new Set<string>();
    for (const ofText of placed) for (const { word } of ofText) distinct.add(word);
    const words = [...distinct];
    const found = await terms(words);
    const matching = new Set(words.filter((_, i) => wanted.has(found[i] ?? '')));
    return placed.map((ofText) => highlightsOf(ofText, (word) => matching.has(word), MOST));
  };
