import type { Highlight } from '../../domain/search/highlights.ts';
import { createTextWords, highlightsOf, type NumberedWords } from '../../domain/search/text-words.ts';
import { wordsOf } from '../../domain/shared/words.ts';
import type { SearchIndex } from '../ports/search-index.ts';

const MOST = 100;

/**
 * Where each of the texts has words of the query, or other forms of them: at most 100 places each, in the order of the
 * text. Of words that cannot be a form of one of the query's, as they begin with another letter, nobody is asked. Words of
 * texts stay in memory, and what their terms are.
 */
export const createHighlight = (
  terms: SearchIndex['terms'],
): ((query: string, texts: readonly string[]) => Promise<readonly (readonly Highlight[])[]>) => {
  const read = createTextWords();
  const learned = new WeakMap<NumberedWords, (string | undefined)[]>();
  return async (query, texts) => {
    const asked = [...new Set(wordsOf(query))];
    const termsAsked = await terms(asked);
    const wanted = new Set(termsAsked.filter((term) => term !== ''));
    if (wanted.size === 0) return texts.map(() => []);
    const { numbering, texts: numbered } = read(texts);
    // Stop words have no term, and most words of a text begin as one of them.
    const isAsked = new Uint8Array(numbering.numbersOfInitials.size);
    for (const [i, word] of asked.entries()) {
      const initial = termsAsked[i] === '' ? undefined : numbering.numbersOfInitials.get(word[0] ?? '');
      if (initial !== undefined) isAsked[initial] = 1;
    }
    /** Terms of words by their numbers. */
    const known = learned.get(numbering) ?? [];
    learned.set(numbering, known);
    const unknown = new Set<number>();
    const matches = (word: number): boolean => {
      if (isAsked[numbering.initials[word] as number] !== 1) return false;
      const term = known[word];
      if (term === undefined) unknown.add(word);
      return term !== undefined && wanted.has(term);
    };
    const places = () => numbered.map((text) => highlightsOf(text, matches, MOST));
    const first = places();
    if (unknown.size === 0) return first;
    const found = await terms([...unknown].map((word) => numbering.words[word] as string));
    for (const [i, word] of [...unknown].entries()) known[word] = found[i] ?? '';
    return places();
  };
};
