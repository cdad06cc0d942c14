import { GOES_ON, hasWords, isTerm, wordsOf } from '../shared/words.ts';

/** Words of the longest name; what is longer is a sentence. */
const LONGEST = 8;
/** Words of the longest name that is looked for inside a question. */
const LONGEST_WITHIN = 4;
/** Words of a question in which names are looked for. */
const REACH = 32;
/**
 * What the query as a whole, as a name, counts beside one of its words: so much that the words of the feedback push none
 * down that bears it. With 2 or 3, names in three manuals gained and nothing else changed.
 */
const WHOLE = 3;
/** The terms of names begin with it, and no word does. */
export const MARK = '=';

/** The term of a name: its words in one, so that nothing else has it. Null for no words, and for a sentence. */
const nameOf = (words: readonly string[]): string | null =>
  words.length === 0 || words.length > LONGEST ? null : `${MARK}${words.join('_')}`;

/** What sites put between a page and themselves. */
const BETWEEN = /\s[—–|·»:-]\s|:\s/u;
/** Parts of a title from the first; no title of people has more. */
const MAX_PARTS = 16;
/** The number of a section, and that of a manual's section behind. */
const NUMBERED =
  /^(?:(?:chapter|appendix|section|part) )?(?:\p{Lu}|\d{1,4}|[IVX]{1,8})\.(?:\d{1,4}\.){0,6}(?:\d{1,4})?[:)]? |\(\d\w?\)$/giu;

/** The same without a dot, before a word: a year is none, and what is in front of others may well be. */
const PLAINLY_NUMBERED =
  /^(?:§ ?\d{1,3}|(?:(?:chapter|appendix|section|part) )(?:[a-z]|\d{1,3}|[ivx]{1,8})|\d{1,3}) (?=\p{L})/iu;

/** Without the brackets that stand apart and end a title: they say of which manual it is. */
const beforeBrackets = (title: string): string => {
  const at = title.trimEnd().endsWith(')') ? title.indexOf(' (') : -1;
  return at > 0 ? title.slice(0, at) : title;
};

/**
 * What a title may be called by: all of it, and what begins or ends at a dash, a bar or a colon or before brackets, with
 * numbers of sections and without.
 */
export const titleParts = (title: string): readonly string[] => {
  const parts = title.split(BETWEEN, MAX_PARTS);
  const ends = parts.flatMap((_, i) => [parts.slice(0, i + 1).join(' '), parts.slice(i).join(' ')]);
  const all = [title, ...ends, beforeBrackets(title)];
  return [...all, ...all.map((one) => one.replaceAll(NUMBERED, '').replace(PLAINLY_NUMBERED, ''))];
};

/** The names that a title stands for. What all pages of a site end in is a name that all have, and counts for nothing. */
export const titleNames = (title: string): readonly string[] => unique(titleParts(title));

/** A line of so many words is prose, and so is a short sentence. */
const PROSE = 8;
const WORDS_OF_SENTENCE = 3;
const [CAPITAL, FULL_STOP] = [/^\p{Lu}/u, /[.!]$/];
/** Lines below a name within which prose explains it: others may be explained with it, or its synopsis stands between. */
const BELOW = [1, 2, 3];
/** Longer lines name nothing but what they begin with, where that is set off. UTF-16 units. */
const SHORT = 100;
/** What stands before a name: marks of lists, headings and definitions. */
const BEFORE = /^[\s#>*•·:]+/u;
/** Where the name of a definition ends. */
const AFTER = /[([{=,;¶<]|:(?=\s|$)|\s[—–-]\s/u;
/** Between the cells of a row. */
const BAR = ' | ';
/** How code ends. */
const ENDS_CODE = /[;{}|\\]\s*$/u;
/** How no heading ends, and no term of a definition. */
const ENDS_OTHERWISE = /[,:=>]\s*$/u;

/**
 * Names that a text explains: headings and terms of definitions, which are short lines with prose below them, and what
 * a short line begins with, up to a bracket, a comma or a dash. A list of links has no prose, so it explains nothing. A
 * row between blank lines is a definition too, with what its first cell names; a table of several is an overview.
 *
 * @param named lines that may have the names which are wanted: others are read only for what they explain
 */
export const textNames = (text: string, named: (line: string) => boolean = () => true): readonly string[] => {
  const all = text.split('\n');
  const isBlank = (at: number): boolean => (all[at] ?? '').trim() === '';
  const lines = all.map((line, at) => ({ line, at })).filter(({ at }) => !isBlank(at));
  const known: boolean[] = [];
  const isProseAt = (i: number): boolean =>
    i < lines.length && (known[i] ??= isProse(lines[i]!.line.slice(0, 4 * SHORT)));
  return unique(
    lines.flatMap(({ line, at }, i) => {
      if (line.length > 4 * SHORT || !named(line)) return [];
      const isDefined = isTerm(line);
      if (!isDefined && !BELOW.some((below) => isProseAt(i + below))) return [];
      // Of several terms in a row the last tells where the definition begins.
      if (isDefined && definition(lines, i) === GOES_ON) return [];
      const cell = line.indexOf(BAR);
      const isAlone = cell > 0 && isBlank(at - 1) && isBlank(at + 1);
      return isAlone ? [line.slice(0, cell)] : namesOfLine(line, isProseAt(i));
    }),
  );
};

/** What stands behind a term and those that follow it. */
const definition = (lines: readonly { readonly line: string }[], term: number): string | undefined => {
  let at = term + 1;
  while (at < lines.length && isTerm(lines[at]!.line)) at += 1;
  return lines[at]?.line.trim();
};

const isProse = (line: string): boolean =>
  hasWords(line, PROSE) ||
  (CAPITAL.test(line) && FULL_STOP.test(line.trimEnd()) && hasWords(line, WORDS_OF_SENTENCE));

const namesOfLine = (line: string, saysMuch: boolean): readonly string[] => {
  const bare = line.replace(BEFORE, '').replaceAll(NUMBERED, '');
  if (!saysMuch && ENDS_CODE.test(bare)) return [];
  const end = bare.search(AFTER);
  const head = end > 0 ? bare.slice(0, end) : '';
  const isNamed = line.length <= SHORT && !ENDS_OTHERWISE.test(bare);
  const whole = isNamed ? [bare, bare.replace(PLAINLY_NUMBERED, '')] : [];
  const last = bare[end] === '(' ? (head.split(' ').at(-1) ?? '') : '';
  return [...whole, ...(saysMuch && wordsOf(head).length > LONGEST_WITHIN ? [] : [head]), last];
};

const unique = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => nameOf(wordsOf(name))).filter((name) => name !== null)),
];

/** Words that ask, or only join others: no name inside a question has them. */
const ASKING = new Set(
  `a an and are at be by can could describe did do does explain find for from get give had has have how i if in into is
  it its list make me mean means my of on or our show tell that the their there these they this to was we were what
  when where which while who whose why will with would you your`.split(/\s+/),
);

/** What a query says without the words that ask, where that stands together: `decorator` of `What is a decorator?`. */
const subjectOf = (words: readonly string[]): readonly string[] => {
  const first = words.findIndex((word) => !ASKING.has(word));
  const last = words.findLastIndex((word) => !ASKING.has(word));
  return first < 0 ? [] : words.slice(first, last + 1);
};

/**
 * Names that a query may speak of, and what each counts: 3 for the query and for what it asks about, and its share of the
 * query for a run of two to four words without one that asks. In a long query a run says little of what is looked for.
 */
export const queryNames = (query: string): ReadonlyMap<string, number> => {
  const words = wordsOf(query);
  const subject = subjectOf(words);
  const runs = words
    .slice(0, REACH)
    .flatMap((_, i) => Array.from({ length: LONGEST_WITHIN - 1 }, (_of, j) => words.slice(i, i + j + 2)))
    .filter((run) => run.length > 1 && !run.some((word) => ASKING.has(word)));
  const names = new Map<string, number>();
  for (const run of [...runs, subject, words]) {
    const name = nameOf(run);
    if (name !== null)
      names.set(name, run === words || run === subject ? WHOLE : run.length / subject.length);
  }
  return names;
};
