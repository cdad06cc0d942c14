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
