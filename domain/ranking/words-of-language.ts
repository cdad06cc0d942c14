/** Whether a word, in small letters, is one of a language: never searched as another for its letters alone. */
export type IsWord = (word: string) => boolean;

/** What a word must keep when an ending is taken off: of shorter ones, misspellings such as `runing` end alike. */
const LEAST = 5;
const ENDINGS = ['s', 'ed', 'ing', 'er', 'ers'];

/** Whether it is a word as it stands, or another one with an ending. */
export const isWordOrForm = (word: string, isWord: IsWord): boolean =>
  isWord(word) ||
  ENDINGS.some((ending) => {
    const base = word.slice(0, -ending.length);
    return base.length >= LEAST && word.endsWith(ending) && isWord(base);
  });

/** What is spelled otherwise in Britain and in America, as one of both. */
const spelledAlike = (word: string): string =>
  word
    .replaceAll('our', 'or')
    .replaceAll('s', 'z')
    .replaceAll(/c(?=e)/g, 'z')
    .replaceAll('ll', 'l')
    .replace(/tre(?=z?$)/, 'ter')
    .replace(/ogue(?=z?$)/, 'og');
/** Whether two words are one, spelled as in Britain and as in America: `colour` and `color`, `licence` and `license`. */
export const isSpelledElsewhere = (a: string, b: string): boolean => spelledAlike(a) === spelledAlike(b);
