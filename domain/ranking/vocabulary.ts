import { countWords, wordsOf } from '../shared/words.ts';

/** What is indexed of a content. */
export interface LexicalDocument {
  readonly no: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** Words by their numbers in a vocabulary, as often as they occur. */
export interface WordedDocument {
  readonly no: number;
  readonly title: readonly number[];
  /** Headings and text, without the title. */
  readonly body: readonly number[];
}

export interface Vocabulary {
  readonly read: (document: LexicalDocument) => WordedDocument;
  /** Every word read so far, once; its place is its number. */
  readonly words: () => readonly string[];
}

/** Numbers the words of many documents, so that each is stemmed and compared once and not wherever it occurs. */
export const createVocabulary = (): Vocabulary => {
  const numbers = new Map<string, number>();
  const titles = new Map<string, readonly number[]>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, numbers.size);
    return numbers.size - 1;
  };
  const read = (text: string): readonly number[] => wordsOf(text).map(numberOf);
  return {
    read: ({ no, title, headings, text }) => {
      const known = titles.get(title) ?? read(title);
      titles.set(title, known);
      return { no, title: known, body: read(bodyOf(headings, text)) };
    },
    words: () => [...numbers.keys()],
  };
};

const bodyOf = (headings: readonly string[], text: string): string =>
  headings.length === 0 ? text : `${headings.join('\n')}\n${text}`;

/** Characters of a content that the feedback is read from. */
const FEEDBACK_LENGTH = 20_000;

/** The words of the contents that a search takes its feedback from, and how often each occurs. */
export const feedbackWords = (
  contents: readonly Omit<LexicalDocument, 'no'>[],
): ReadonlyMap<string, number> =>
  countWords(
    contents.flatMap(({ title, headings, text }) =>
      wordsOf(`${title}\n${bodyOf(headings, text)}`.slice(0, FEEDBACK_LENGTH)),
    ),
  );
