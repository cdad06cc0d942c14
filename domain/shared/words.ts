const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// The same for what has nothing beyond ASCII, and much faster.
const ASCII_WORD = /[a-z0-9]+/g;
/**
 * What is neither ASCII nor one of the signs that most other lines of English have beyond it. None of these is a part of a
 * word or becomes one by NFKC, and none changes what stands beside it. By units, which takes half the time of characters:
 * this is asked of every text.
 */
const BEYOND_PLAIN = /[^\0-\x7f\u00a0§©«®¶·»\u2013\u2014\u2018\u2019\u201c\u201d•…→]/;
/** Scripts that write no spaces between words, and Hangul, whose words carry particles. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const MAY_BE_UNSPACED = /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\uffff]/;
/** Longer words are cut: what is longer is a key or a hash, and an index entry has a limit. UTF-16 units. */
const LONGEST = 80;

/**
 * The words of a text, as documents and queries are indexed and sentences compared: runs of letters, marks and digits,
 * compatibility characters unified (NFKC), in lower case. Runs of scripts without spaces become overlapping pairs of
 * characters.
 */
export const wordsOf = (text: string): readonly string[] => {
  if (isPlain(text)) return plainWords(text);
  // No word goes on over a line, and most lines of most texts are plain.
  const words: string[] = [];
  for (const line of text.split('\n'))
    for (const word of isPlain(line) ? plainWords(line) : anyWords(line)) words.push(word);
  return words;
};

/** Whether all words of a text are runs of letters and digits of ASCII, with whatever else between them. */
export const isPlain = (text: string): boolean => !BEYOND_PLAIN.test(text);

/** Whether a text may have a word, or one that begins or ends so, as far as its characters tell: most do not, which is soon seen. */
export const mayHaveWord =
  (word: string): ((text: string) => boolean) =>
  (text) =>
    text.toLowerCase().includes(word) || !isPlain(text);

const plainWords = (text: string): readonly string[] => shortened(text.toLowerCase().match(ASCII_WORD) ?? []);

const anyWords = (text: string): readonly string[] => {
  const found = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return shortened(MAY_BE_UNSPACED.test(text) ? found.flatMap(split) : found);
};

/** In place: hardly any has to be. */
const shortened = (words: string[]): readonly string[] => {
  for (const [i, word] of words.entries())
    if (word.length > LONGEST) words[i] = word.slice(0, LONGEST).toWellFormed();
  return words;
};

/** Whether a text has so many words, at least one, without making them where it is plain from the beginning. */
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

/** Whether a unit of ASCII is a part of a word, in either case. */
export const isPartOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/**
 * The first so many characters of the words of a text, without what stands between them: at most 80. Texts of the same words
 * have the same. No word is made where the text is plain so far.
 */
export const firstCharacters = (text: string, count: number): string => {
  const codes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // What stands beside it may belong to a word, and change it.
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

/** Scripts in which a single character may be a word that somebody looks for. */
const CHARACTERS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2,}/gu;

/** Every character of the runs of which `wordsOf` makes pairs, as often as it occurs; Chinese, Japanese and Korean only. */
export const singleCharacters = (text: string): readonly string[] =>
  MAY_BE_UNSPACED.test(text)
    ? (text.normalize('NFKC').match(CHARACTERS) ?? []).flatMap((run) =>
        [...run].filter((one) => LETTER.test(one)),
      )
    : [];
const LETTER = /[\p{L}\p{N}]/u;

/** Characters as readers see them as far as code points tell: a letter with the marks on it is one. */
export const charactersOf = (text: string): readonly string[] => text.match(/.\p{M}*/gsu) ?? [];

/** How often each word occurs. */
export const countWords = (words: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/**
 * The words of a text that are written like names: with a capital letter, though they do not begin a sentence. None where
 * all words have one, as in a title. In German, where nouns have one, these too.
 */
export function namedWords(text: string): readonly string[] {
  const words = text.split(/(?<=[.?!:])\s/).flatMap((sentence) => sentence.trim().split(/\s+/).slice(1));
  const named = words.filter((word) => /\p{Lu}/u.test(word));
  return named.length < words.length ? named : [];
}

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

/**
 * What a line ends in that is the term of a definition, such as the name of a setting: generators of manuals put it there, and
 * the reader of HTML where they do not. Up to the next such line, all that follows defines the term.
 */
export const TERM_SIGN = ' ¶';

/** The paragraph behind a term, or several, that an earlier piece of the text has: what follows goes on with the definition. */
export const GOES_ON = '…';

/** Whether a paragraph is a term, or several in lines. */
export const isTerm = (paragraph: string): boolean => paragraph.trimEnd().endsWith(TERM_SIGN);

/** Whether a text has a term. */
export const hasTerm = (text: string): boolean => text.includes(`${TERM_SIGN}\n`) || isTerm(text);

export const withoutSign = (term: string): string =>
  isTerm(term) ? term.trimEnd().slice(0, -TERM_SIGN.length) : term;
