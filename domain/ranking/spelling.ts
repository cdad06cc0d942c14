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
/** A folded word may be so much longer or shorter: `ß`, marks of their own. */
const FOLDING = 2;
const [BLANK, LINE_BREAK, DELETE] = [32, 10, 127];

/** Words of `spelledLines` that a word may have been meant for, in no order. */
export const nearWords = (
  { word, terms }: Pick<AskedWord, 'word' | 'terms'>,
  lines: string,
): readonly Suggestion[] => {
  const plain = folded(word);
  const forms = [plain, ...terms.filter((term) => term !== plain)];
  const found: Suggestion[] = [];
  // By characters: a line is cut out only where it may be near.
  for (let start = 0; start < lines.length;) {
    let blank = start;
    while (
      blank < lines.length &&
      lines.charCodeAt(blank) !== BLANK &&
      lines.charCodeAt(blank) !== LINE_BREAK
    )
      blank++;
    let end = blank;
    while (end < lines.length && lines.charCodeAt(end) !== LINE_BREAK) end++;
    const near = forms.some((form) => mayBeNear(form, lines, start, blank));
    if (near) {
      const other = lines.slice(start, blank);
      const distances = forms.map((form, i) => mistakes(form, folded(other)) + (i === 0 ? 0 : BY_STEM));
      const distance = Math.min(...distances);
      const term = blank === end ? other : lines.slice(blank + 1, end);
      if (distance < Infinity) found.push({ word: other, term, distance });
    }
    start = end + 1;
  }
  return found;
};

/** Whether it is worth a closer look, for words without accents: a wrong first letter leaves the last as it is. */
const mayBeNear = (form: string, lines: string, from: number, to: number): boolean => {
  const first = lines.charCodeAt(from);
  const further = Math.abs(to - from - form.length);
  if (first > DELETE || lines.charCodeAt(to - 1) > DELETE) return further <= 2 + FOLDING;
  if (first === form.charCodeAt(0)) return further <= 2 + FOLDING;
  return (
    form.length >= SHORT && further <= 1 && lines.charCodeAt(to - 1) === form.charCodeAt(form.length - 1)
  );
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
