import { folded } from '../shared/folding.ts';
import { wordsOf } from '../shared/words.ts';
import type { AskedWord } from './asked-terms.ts';
import { mistakes, SHORT } from './mistakes.ts';
import type { WordOfLanguage, WordTerms } from './word-terms.ts';

/** Letters that stand for sounds: others are not mistyped by a letter, and numbers are never corrected. */
const SPELLED =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{M}]{4,24}$/u;

/**
 * The words by which spelling is corrected, as one text: a line each, once, with the first term under which the word is
 * found behind a blank where that is not the word itself. As one text they take a tenth of the memory of objects.
 */
export const spelledLines = (words: readonly WordOfLanguage[], terms: readonly WordTerms[]): string => {
  const lines = words.flatMap(({ word }, i): readonly string[] => {
    const [term] = terms[i] ?? [];
    if (term === undefined || !SPELLED.test(word)) return [];
    return [term === word ? word : `${word} ${term}`];
  });
  return [...new Set(lines)].join('\n');
};

/** What of a query nothing contains, as far as its spelling can be corrected. */
export const unknownWords = (
  asked: readonly AskedWord[],
  isKnown: (term: string) => boolean,
): readonly AskedWord[] =>
  asked.filter(({ word, terms }) => SPELLED.test(word) && terms.length > 0 && !terms.some(isKnown));

export interface Suggestion {
  /** A word as texts have it, and the first term under which it is found. */
  readonly word: string;
  readonly term: string;
  readonly distance: number;
}

/** Nearest words that are weighed against each other. */
const MOST = 30;
/** Added to the distance where only the stem is near: `vaccuming` to `vacuum`. */
const BY_STEM = 0.5;
/** As `mistakes` counts them. */
const MOST_MISTAKES = 2;
/** A folded word may be so much longer or shorter: `ß`, marks of their own. */
const FOLDING = 2;
const [BLANK, LINE_BREAK, DELETE] = [32, 10, 127];
/** From here on letters have nothing in common with ASCII, whatever accents are taken off; but for more of Latin. */
const [FOREIGN, LATIN_AGAIN, GREEK_AGAIN] = [0x370, 0x1e00, 0x1f00];
const BEYOND_ASCII = /\P{ASCII}/u;

/** Words of `spelledLines` that a word may have been meant for, in no order. */
export const nearWords = (
  { word, terms }: Pick<AskedWord, 'word' | 'terms'>,
  lines: string,
): readonly Suggestion[] => {
  const plain = folded(word);
  const forms = [plain, ...terms.filter((term) => term !== plain)].map(formOf);
  const found: Suggestion[] = [];
  // By characters: a line is cut out only where it may be near.
  for (let start = 0; start < lines.length;) {
    let [blank, letters, isAscii, isForeign] = [start, 0, true, true];
    for (; blank < lines.length; blank++) {
      const code = lines.charCodeAt(blank);
      if (code === BLANK || code === LINE_BREAK) break;
      letters |= 1 << (code & 31);
      if (code > DELETE) isAscii = false;
      if (code < FOREIGN || (code >= LATIN_AGAIN && code < GREEK_AGAIN)) isForeign = false;
    }
    let end = blank;
    while (end < lines.length && lines.charCodeAt(end) !== LINE_BREAK) end++;
    const near = forms.some((form) => {
      if (isAscii) return mayBeNear(form, letters, lines, start, blank);
      return !(isForeign && form.isAscii) && mayBeNearFolded(form, lines, start, blank);
    });
    if (near) {
      const other = lines.slice(start, blank);
      const plainOther = isAscii ? other : folded(other);
      const distances = forms.map(({ form }, i) => mistakes(form, plainOther) + (i === 0 ? 0 : BY_STEM));
      const distance = Math.min(...distances);
      const term = blank === end ? other : lines.slice(blank + 1, end);
      if (distance < Infinity) found.push({ word: other, term, distance });
    }
    start = end + 1;
  }
  return found;
};

/** What a word is looked for by, and its letters as a set: `a` to `z` one bit each, others share them. */
interface Form {
  readonly form: string;
  readonly letters: number;
  readonly isAscii: boolean;
}

const formOf = (form: string): Form => {
  let letters = 0;
  for (let i = 0; i < form.length; i++) letters |= 1 << (form.charCodeAt(i) & 31);
  return { form, letters, isAscii: !BEYOND_ASCII.test(form) };
};

/**
 * Whether it is worth a closer look, for a word without accents: its length and its letters differ by no more than
 * mistakes make, and a wrong first letter leaves the last as it is.
 */
const mayBeNear = (
  { form, letters: own }: Form,
  letters: number,
  lines: string,
  from: number,
  to: number,
): boolean => {
  const further = Math.abs(to - from - form.length);
  // A mistake takes a letter away, brings one, or both.
  if (further > MOST_MISTAKES || bitsOf(own ^ letters) > 2 * MOST_MISTAKES) return false;
  if (lines.charCodeAt(from) === form.charCodeAt(0)) return true;
  return form.length >= SHORT && lines.charCodeAt(to - 1) === form.charCodeAt(form.length - 1);
};

/** The same for any other word: what its letters are without accents is not known before it is folded. */
const mayBeNearFolded = ({ form }: Form, lines: string, from: number, to: number): boolean => {
  if (Math.abs(to - from - form.length) > MOST_MISTAKES + FOLDING) return false;
  const [first, last] = [lines.charCodeAt(from), lines.charCodeAt(to - 1)];
  if (first > DELETE || last > DELETE || first === form.charCodeAt(0)) return true;
  return form.length >= SHORT && last === form.charCodeAt(form.length - 1);
};

/** How many bits are set. */
const bitsOf = (set: number): number => {
  const pairs = set - ((set >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** The nearest, the best first; at most 30, each once. */
export const nearestOf = (suggestions: readonly Suggestion[]): readonly Suggestion[] =>
  [...new Map(suggestions.map((one) => [`${one.word} ${one.term}`, one])).values()]
    .toSorted((a, b) => a.distance - b.distance || compare(a.word, b.word))
    .slice(0, MOST);

/** Of the nearest, the one that most contents have; null for none that any has. */
export const bestSuggestion = (
  suggestions: readonly Suggestion[],
  contentsWith: (term: string) => number,
): Suggestion | null =>
  suggestions
    .filter(({ term }) => contentsWith(term) > 0)
    .toSorted(
      (a, b) =>
        a.distance - b.distance || contentsWith(b.term) - contentsWith(a.term) || compare(a.word, b.word),
    )[0] ?? null;

/** The query with other words in place of these; everything else stays as it was typed. */
export const respelled = (query: string, words: ReadonlyMap<string, string>): string =>
  query.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (run) => {
    const [word, ...more] = wordsOf(run);
    return (more.length === 0 && words.get(word ?? '')) || run;
  });

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
