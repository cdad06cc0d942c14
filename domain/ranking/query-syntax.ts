import { wordsOf } from '../shared/words.ts';
import { saysNothing } from './stop-phrases.ts';

/** What somebody typed, taken apart. Words are those of `wordsOf`. */
export interface TypedQuery {
  /** What is ranked by: all but what is excluded, without the quotes. */
  readonly ranked: string;
  /** What must stand there, word for word and in this order. */
  readonly phrases: readonly (readonly string[])[];
  /** What must not, as phrases; a single word is a phrase of one. */
  readonly excluded: readonly (readonly string[])[];
}

/** What opens stands at the beginning of a word: the inches of `5" and 6"` are no quotes. */
const MARKED = /(?<![^\s(])(?<minus>-?)["“„](?<phrase>[^"“”„]*)["”“]|(?<!\S)-(?<word>[\p{L}\p{N}][^\s"]+)/gu;

/**
 * Reads `"quoted phrases"`, `-word` and `-"quoted phrase"`. Whatever is not closed, and a minus before a single letter, as
 * in the option `-n`, is plain text. A query that only excludes is plain text as well: nothing would be left to look for.
 */
export const parseQuery = (query: string): TypedQuery => {
  const phrases: (readonly string[])[] = [];
  const excluded: (readonly string[])[] = [];
  const ranked = query.replaceAll(MARKED, (all, ...groups) => {
    const { minus, phrase, word } = groups.at(-1) as Record<string, string | undefined>;
    const words = wordsOf(phrase ?? word ?? '');
    if (words.length === 0) return all;
    const excludes = phrase === undefined || minus === '-';
    (excludes ? excluded : phrases).push(words);
    return excludes ? ' ' : ` ${phrase} `;
  });
  return wordsOf(ranked).length > 0
    ? { ranked, phrases, excluded }
    : { ranked: query, phrases, excluded: [] };
};

/** Of stop words alone the query is a phrase: apart they say nothing. */
export const asPhrase = (typed: TypedQuery): TypedQuery => {
  const words = wordsOf(typed.ranked);
  return saysNothing(words) && typed.phrases.length === 0 ? { ...typed, phrases: [words] } : typed;
};

/** Whether texts, each by itself, hold every phrase and nothing that is excluded. */
export const satisfies = ({ phrases, excluded }: TypedQuery): ((texts: readonly string[]) => boolean) => {
  if (phrases.length + excluded.length === 0) return () => true;
  const [wanted, unwanted] = [phrases.map(finder), excluded.map(finder)];
  return (texts) => {
    const read = texts.map(toWords);
    return wanted.every((finds) => read.some(finds)) && !unwanted.some((finds) => read.some(finds));
  };
};

/** The words of a text, in their order and as a set. */
interface Words {
  readonly line: string;
  readonly all: ReadonlySet<string>;
}

const toWords = (text: string): Words => {
  const words = wordsOf(text);
  return { line: ` ${words.join(' ')} `, all: new Set(words) };
};

/** Where a word of the phrase is missing, the text is not searched: a query may exclude a thousand. */
const finder = (phrase: readonly string[]): ((words: Words) => boolean) => {
  const line = ` ${phrase.join(' ')} `;
  return ({ all, line: text }) =>
    phrase.every((word) => all.has(word)) && (phrase.length === 1 || text.includes(line));
};
