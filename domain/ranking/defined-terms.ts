import { isTerm, TERM_SIGN } from '../shared/term-sign.ts';
import { mayHaveWord, wordsOf } from '../shared/words.ts';
import { ASKING, MARK, textNames } from './names.ts';

/** What may be asked of a thing by its name, and what it may be called beside. */
const ASKED_OF = new Set(
  `argument attribute command default definition description directive field flag function keyword maximum meaning minimum
  option parameter purpose range setting statement syntax unit use used value variable work`.split(/\s+/),
);
/** Words of the longest name. */
const LONGEST = 5;

/**
 * The name that is all that a query says beside words that ask, as `textNames` has it: `recursion`, and that of `What is the
 * default of recursion?`. Null where there is none.
 */
export const termAsked = (query: string): string | null => {
  const words = wordsOf(query);
  const asks = (word: string): boolean => ASKING.has(word) || ASKED_OF.has(word);
  const name = words.every(asks)
    ? words
    : words.slice(
        words.findIndex((word) => !asks(word)),
        words.findLastIndex((word) => !asks(word)) + 1,
      );
  return name.length === 0 || name.length > LONGEST ? null : `${MARK}${name.join('_')}`;
};

/**
 * Whether a text defines what is called so as a term that is signed: not where it only goes on with the definition.
 *
 * @param typed what the term must have as it stands
 */
export const definesTerm = (text: string, name: string, typed = ''): boolean => {
  const mayNameIt = mayName(name.slice(MARK.length));
  for (let at = text.indexOf(TERM_SIGN); at >= 0; at = text.indexOf(TERM_SIGN, at + 1)) {
    const end = at + TERM_SIGN.length;
    if (end < text.length && text[end] !== '\n') continue;
    const start = text.lastIndexOf('\n', at) + 1;
    const term = text.slice(start, at);
    if (!mayNameIt(term) || !term.includes(typed)) continue;
    if (textNames(text.slice(start, endOfTerms(text, start)), mayNameIt).includes(name)) return true;
  }
  return false;
};

/** Whether a line may have a name, as far as the first word of it tells. */
export const mayName = (name: string): ((line: string) => boolean) => mayHaveWord(name.split('_', 1)[0]!);

/** Where the line ends behind the term that begins here, and those that follow it. */
const endOfTerms = (text: string, start: number): number => {
  let at = start;
  while (at < text.length) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, end);
    if (line.trim() !== '' && !isTerm(line)) return end;
    at = end + 1;
  }
  return text.length;
};
