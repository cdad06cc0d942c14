const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// The same for text in ASCII, and much faster.
const ASCII_WORD = /[a-z0-9]+/g;
/**
 * Characters that are neither ASCII nor one of the signs that are common in English text. None of these signs is part
 * of a word, becomes one by NFKC, or changes its neighbours. Without the `u` flag, which takes half the time: every
 * text is tested.
 */
const BEYOND_PLAIN = /[^\0-\x7f\u00a0§©«®¶·»\u2013\u2014\u2018\u2019\u201c\u201d•…→]/;
/** Scripts without spaces between words, and Hangul, whose words carry particles. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const MAY_BE_UNSPACED = /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\uffff]/;
/** Longer words are cut, because they are keys or hashes, and index entries have a size limit. UTF-16 units. */
const MAX_WORD_LENGTH = 80;

/**
 * The words of a text, for indexing documents and queries and for comparing sentences: runs of letters, marks and
 * digits, with compatibility characters unified (NFKC), in lower case. Runs of scripts without spaces become
 * overlapping pairs of characters.
 */
export const wordsOf = (text: string): readonly string[] => {
  if (isPlain(text)) return plainWords(text);
  // Words do not continue over a line break, and most lines of most texts are plain.
  const words: string[] = [];
  for (const line of text.split('\n'))
    for (const word of isPlain(line) ? plainWords(line) : anyWords(line)) words.push(word);
  return words;
};

/** Whether all words of a text are runs of ASCII letters and digits, whatever is between them. */
export const isPlain = (text: string): boolean => !BEYOND_PLAIN.test(text);

/** A fast test whether a text may contain a word, or a word that starts or ends with it; rules out most texts. */
export const mayHaveWord =
  (word: string): ((text: string) => boolean) =>
  (text) =>
    text.toLowerCase().includes(word) || !isPlain(text);

const plainWords = (text: string): readonly string[] => shortened(text.toLowerCase().match(ASCII_WORD) ?? []);

/**
 * Characters within words that nobody sees: hints where a line may or must not end, and marks of the byte
 * order. A space without a width parts words of scripts without spaces, and shows a place to end a line in others.
 */
const UNSEEN = /[\u00ad\u2060\ufeff]|(?<=\p{scx=Latin})\u200b(?=\p{scx=Latin})/gu;
const MAY_BE_UNSEEN = /[\u00ad\u200b\u2060\ufeff]/;

/** A text without the marks within words that nobody sees. */
export const withoutUnseen = (text: string): string =>
  MAY_BE_UNSEEN.test(text) ? text.replaceAll(UNSEEN, '') : text;

const anyWords = (text: string): readonly string[] => {
  const found = withoutUnseen(text).normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return shortened(MAY_BE_UNSPACED.test(text) ? found.flatMap(split) : found);
};

/** In place, because hardly any word has to be cut. */
const shortened = (words: string[]): readonly string[] => {
  for (const [i, word] of words.entries())
    if (word.length > MAX_WORD_LENGTH) words[i] = word.slice(0, MAX_WORD_LENGTH).toWellFormed();
  return words;
};

/** Whether a text has at least `count` words (one or more); for plain text without building them. */
export const hasWords = (text: string, count: number): boolean => {
  let [words, within] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return wordsOf(text).length >= count;
    const isPart = isPartOfWord(code);
    if (isPart && !within && (words += 1) >= count) return true;
    within = isPart;
  }
  return false;
};

/** Whether an ASCII code unit is part of a word, in either case. */
export const isPartOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/**
 * The first `count` characters of the words of a text, joined: at most 80. Texts with the same words have the same
 * result. No words are built while the text is plain.
 */
export const firstCharacters = (text: string, count: number): string => {
  const codes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // A character next to it may belong to a word and change it.
    if (code > 127 && !isPlain(text.charAt(i))) return firstOfAny(text, count);
    if (codes.length === count) break;
    if (isPartOfWord(code)) codes.push(code >= 65 && code <= 90 ? code + 32 : code);
  }
  return String.fromCharCode(...codes);
};

const firstOfAny = (text: string, count: number): string => {
  let found = '';
  for (const line of text.split('\n')) {
    found += wordsOf(line).join('');
    if (found.length >= count) break;
  }
  return found.slice(0, count);
};

const split = (word: string): readonly string[] => {
  const parts: string[] = [];
  let rest = 0;
  for (const { 0: run, index } of word.matchAll(UNSPACED)) {
    if (index > rest) parts.push(word.slice(rest, index));
    parts.push(...pairs(run));
    rest = index + run.length;
  }
  if (rest < word.length) parts.push(word.slice(rest));
  return parts;
};

const pairs = (run: string): readonly string[] => {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
};

/** Scripts in which a single character may be a word that is searched for. */
const CHARACTERS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2,}/gu;

/**
 * All characters of the runs that `wordsOf` splits into pairs, with repetitions; Chinese, Japanese and Korean only.
 */
export const singleCharacters = (text: string): readonly string[] =>
  MAY_BE_UNSPACED.test(text)
    ? (text.normalize('NFKC').match(CHARACTERS) ?? []).flatMap((run) =>
        [...run].filter((one) => LETTER.test(one)),
      )
    : [];
const LETTER = /[\p{L}\p{N}]/u;

/** User-perceived characters, as far as code points tell: a letter with its marks is one. */
export const charactersOf = (text: string): readonly string[] => text.match(/.\p{M}*/gsu) ?? [];

/** How often each word occurs. */
export const countWords = (words: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/**
 * Words that are written like names: with a capital letter, although they do not start a sentence. None if all words
 * have one, as in a title. In German they include all nouns.
 */
export function namedWords(text: string): readonly string[] {
  const words = text.split(/(?<=[.?!:])\s/).flatMap((sentence) => sentence.trim().split(/\s+/).slice(1));
  const named = words.filter((word) => /\p{Lu}/u.test(word));
  return named.length < words.length ? named : [];
}

/** Letters with a stroke, and ligatures, in the spelling that most keyboards have. */
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
/** Marks without which a letter stays the same. Not in kana or Indic scripts, where they are vowels. */
const MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** A letter of its own, different from the one without the mark. */
const SHORT_I = /и\u0306/gu;
const BEYOND_ASCII = /\P{ASCII}/u;

/** Folds a word of `wordsOf` to its form without accents: `résumé` is `resume`, `straße` is `strasse`, `ё` is `е`. */
export const folded = (word: string): string =>
  BEYOND_ASCII.test(word)
    ? word
        .replace(WITHOUT_MARKS, (letter) => PLAIN[letter] ?? letter)
        .normalize('NFD')
        .replace(SHORT_I, 'й')
        .replace(MARKS, '')
        .normalize('NFC')
    : word;

/**
 * Ends a line with the term of a definition, such as the name of a setting. Generators of manuals write it, and
 * otherwise the HTML reader. The definition reaches to the next such line.
 */
export const TERM_SIGN = ' ¶';

/** The paragraph after repeated terms at the start of a piece: the definition continues from an earlier piece. */
export const GOES_ON = '…';

/** Whether a paragraph is a term, or several on separate lines. */
export const isTerm = (paragraph: string): boolean => paragraph.trimEnd().endsWith(TERM_SIGN);

/** Whether a text contains a term. */
export const hasTerm = (text: string): boolean => text.includes(`${TERM_SIGN}\n`) || isTerm(text);

export const withoutSign = (term: string): string =>
  isTerm(term) ? term.trimEnd().slice(0, -TERM_SIGN.length) : term;
