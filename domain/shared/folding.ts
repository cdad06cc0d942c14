/** Letters that are others with a stroke, or two in one, as most keyboards have them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
};
const WITHOUT_MARKS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
/** Marks on letters that are the same letter without them. Not of kana, nor of scripts of India: there they are vowels. */
const MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** Another letter than the one without the mark. */
const SHORT_I = /и\u0306/gu;
const BEYOND_ASCII = /\P{ASCII}/u;

/** A word of `wordsOf` as it is typed without accents: `résumé` is `resume`, `straße` is `strasse`, `ё` is `е`. */
export const folded = (word: string): string =>
  BEYOND_ASCII.test(word)
    ? word
        .replace(WITHOUT_MARKS, (letter) => PLAIN[letter] ?? letter)
        .normalize('NFD')
        .replace(SHORT_I, 'й')
        .replace(MARKS, '')
        .normalize('NFC')
    : word;
