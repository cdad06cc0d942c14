import { countWords, singleCharacters, wordsOf } from '../shared/words.ts';
import { identifiersOf } from './identifiers.ts';
import { textNames, titleNames } from './names.ts';
import { stopPhrases } from './stop-phrases.ts';
import type { WordOfLanguage } from './word-terms.ts';

/** What is indexed of a content. */
export interface LexicalDocument {
  readonly no: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  /** BCP 47; absent or empty where it is not known. */
  readonly language?: string;
}

/** Words by their numbers in a vocabulary, as often as they occur. */
export interface WordedDocument {
  readonly no: number;
  readonly title: readonly number[];
  /** Headings and text, without the title. */
  readonly body: readonly number[];
  /** Identifiers, names, phrases of stop words and single characters: found as words are, but they make no text longer. */
  readonly beside: readonly number[];
}

export interface Vocabulary {
  readonly read: (document: LexicalDocument) => WordedDocument;
  /** Every word read so far, once in each language; its place is its number. */
  readonly words: () => readonly WordOfLanguage[];
}

/** Numbers the words of many documents, so that each is stemmed and compared once and not wherever it occurs. */
export const createVocabulary = (): Vocabulary => {
  const words: WordOfLanguage[] = [];
  const languages = new Map<string, WordNumbers>();
  const numbersOf = (language: string): WordNumbers => {
    const known = languages.get(language) ?? { numbers: new Map<string, number>(), titles: new Map() };
    languages.set(language, known);
    return known;
  };
  return {
    read: ({ no, title, headings, text, language = '' }) => {
      const { numbers, titles } = numbersOf(language);
      const numberOf = (word: string): number => {
        const known = numbers.get(word);
        if (known !== undefined) return known;
        numbers.set(word, words.length);
        return words.push({ word, language }) - 1;
      };
      const known = titles.get(title) ?? { words: wordsOf(title).map(numberOf), names: titleNames(title) };
      titles.set(title, known);
      const body = bodyOf(headings, text);
      const wordsOfBody = wordsOf(body);
      const all = `${title}\n${body}`;
      const beside = [
        ...identifiersOf(all),
        ...singleCharacters(all),
        ...new Set([...known.names, ...textNames(text), ...stopPhrases(wordsOfBody)]),
      ].map(numberOf);
      return { no, title: known.words, body: wordsOfBody.map(numberOf), beside };
    },
    words: () => words,
  };
};

interface WordNumbers {
  readonly numbers: Map<string, number>;
  /** Those that were read already: all contents of a document have one. */
  readonly titles: Map<string, { readonly words: readonly number[]; readonly names: readonly string[] }>;
}

const bodyOf = (headings: readonly string[], text: string): string =>
  headings.length === 0 ? text : `${headings.join('\n')}\n${text}`;

/** Characters of a content that the feedback is read from. */
const FEEDBACK_LENGTH = 20_000;

/** The words of the contents that a search takes its feedback from, and how often each occurs. */
export const feedbackWords = (
  contents: readonly Omit<LexicalDocument, 'no'>[],
): readonly (WordOfLanguage & { readonly n: number })[] =>
  [...Map.groupBy(contents, ({ language = '' }) => language)].flatMap(([language, ofLanguage]) => {
    const words = ofLanguage.flatMap(({ title, headings, text }) =>
      wordsOf(`${title}\n${bodyOf(headings, text)}`.slice(0, FEEDBACK_LENGTH)),
    );
    return [...countWords(words)].map(([word, n]) => ({ word, language, n }));
  });
