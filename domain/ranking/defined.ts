import { TERM_SIGN, isTerm, mayHaveWord } from '../shared/words.ts';
import { textNames, MARK } from './names.ts';

/**
 * Whether a text defines what is called so as a term that is signed: not where it only goes on with the definition.
 */
export const definesTerm = (text: string, name: string): boolean => {
  const mayNameIt = mayName(name.slice(MARK.length));
  for (let at = text.indexOf(TERM_SIGN); at >= 0; at = text.indexOf(TERM_SIGN, at + 1)) {
    const end = at + TERM_SIGN.length;
    if (end < text.length && text[end] !== '\n') continue;
    const start = text.lastIndexOf('\n', at) + 1;
    const term = text.slice(start, at);
    if (!mayNameIt(term)) continue;
    if (textNames(text.slice(start, endOfTerms(text, start)), mayNameIt).includes(name)) return true;
  }
  return false;
};

/** Whether a line may have a name, as far as the first word of it tells. */
const mayName = (name: string): ((line: string) => boolean) => mayHaveWord(name.split('_', 1)[0]!);

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
