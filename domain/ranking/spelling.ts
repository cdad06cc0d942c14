import { folded, wordsOf } from '../shared/words.ts';
import type { AskedWord } from './asked-terms.ts';
import { likelihood } from './mistakes.ts';
import type { Suggestion } from './near-words.ts';
import { isSpelledElsewhere, isWordOrForm, type IsWord } from './words-of-language.ts';
import { compare } from './term-weights.ts';
import type { WordOfLanguage, WordTerms } from './word-terms.ts';

/** Letters that stand for sounds: others are not mistyped by a letter, and numbers are never corrected. */
const SPELLED =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{M}]{4,24}$/u;

/**
 * The words by which spelling is corrected, as one text: a line each, once, with the first term under which the word is
 * found behind a blank where that is not the word itself. As one text they take a tenth of the memory of objects.
 */
export const spelledLines = (words: readonly WordOfLanguage[], terms: readonly WordTerms[]): string => {
  const lines = words.flatMap(({ word }, i): readonly string[] => {
    const [term] = terms[i] ?? [];
    if (term === undefined || !SPELLED.test(word)) return [];
    return [term === word ? word : `${word} ${term}`];
  });
  return [...new Set(lines)].join('\n');
};

/** What of a query nothing contains, as far as its spelling can be corrected. */
export const unknownWords = (
  asked: readonly AskedWord[],
  isKnown: (term: string) => boolean,
): readonly AskedWord[] =>
  asked.filter(({ word, terms }) => SPELLED.test(word) && terms.length > 0 && !terms.some(isKnown));

/** Of words that are near one, those that it may be meant for: for a word of the language, itself as others spell it. */
export const meantFor = (
  typed: string,
  suggestions: readonly Suggestion[],
  isWord: IsWord,
): readonly Suggestion[] =>
  isWordOrForm(typed, isWord)
    ? suggestions.filter(({ word }) => isSpelledElsewhere(typed, word))
    : suggestions;

/** Nearest words that are weighed against each other. */
const MOST = 30;
/** The nearest, the best first; at most 30, each once, whatever order they come in. */
export const nearestOf = (suggestions: readonly Suggestion[]): readonly Suggestion[] =>
  [...new Map(suggestions.map((one) => [`${one.word} ${one.term}`, one])).values()]
    .toSorted((a, b) => a.distance - b.distance || compare(a.word, b.word) || compare(a.term, b.term))
    .slice(0, MOST);

/**
 * Of the nearest, the one that most contents have, and of those that share a term the likelier; null for none that any
 * has.
 */
export const bestSuggestion = (
  typed: string,
  suggestions: readonly Suggestion[],
  contentsWith: (term: string) => number,
): Suggestion | null =>
  suggestions
    .filter(({ term }) => contentsWith(term) > 0)
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        contentsWith(b.term) - contentsWith(a.term) ||
        likelihood(folded(typed), folded(b.word)) - likelihood(folded(typed), folded(a.word)) ||
        compare(a.word, b.word),
    )[0] ?? null;

/** The query with other words in place of these; everything else stays as it was typed. */
export const respelled = (query: string, words: ReadonlyMap<string, string>): string =>
  query.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (run) => {
    const [word, ...more] = wordsOf(run);
    return (more.length === 0 && words.get(word ?? '')) || run;
  });
