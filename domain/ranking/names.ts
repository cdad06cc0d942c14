import { hasWords, wordsOf } from '../shared/words.ts';

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
const MOST_PARTS = 16;
/** The number of a section, and that of a manual's section behind. */
const NUMBERED =
  /^(?:(?:chapter|appendix|section|part) )?(?:\p{Lu}|\d{1,4}|[IVX]{1,8})\.(?:\d{1,4}\.){0,6}(?:\d{1,4})? |\(\d\w?\)$/giu;

/**
 * The names that a title stands for: all of it, and what begins or ends at a dash, a bar or a colon, without numbers of
 * sections. What all pages of a site end in is then a name that all have, and counts for nothing.
 */
export const titleNames = (title: string): readonly string[] => {
  const parts = title.split(BETWEEN, MOST_PARTS);
  const ends = parts.flatMap((_, i) => [parts.slice(0, i + 1).join(' '), parts.slice(i).join(' ')]);
  return unique([title, ...ends, ...[title, ...ends].map((one) => one.replaceAll(NUMBERED, ''))]);
};

/** A line of so many words is prose. */
const PROSE = 8;
/** Lines below a name within which prose explains it: others may be explained with it, or its synopsis stands between. */
const NEAR = 3;
/** Longer lines name nothing but what they begin with, where that is set off. UTF-16 units. */
const SHORT = 100;
/** What stands before a name: marks of lists and headings. */
const BEFORE = /^[\s#>*•·]+/u;
/** Where the name of a definition ends. */
const AFTER = /[([{=,;¶<]|:(?=\s|$)|\s[—–-]\s/u;
/** How code ends. */
const ENDS_CODE = /[;{}|\\]\s*$/u;
/** How no heading ends, and no term of a definition. */
const ENDS_OTHERWISE = /[,:=>]\s*$/u;

/**
 * Names that a text explains: headings and terms of definitions, which are short lines with prose below them, and what
 * a short line begins with, up to a bracket, a comma or a dash. A list of links has no prose, so it explains nothing.
 */
export const textNames = (text: string): readonly string[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const prose = lines.map((line) => hasWords(line.slice(0, 4 * SHORT), PROSE));
  return unique(
    lines.flatMap((line, i) => {
      const explained = prose.slice(i + 1, i + 1 + NEAR).includes(true);
      return explained && line.length <= 4 * SHORT ? namesOfLine(line, prose[i] ?? false) : [];
    }),
  );
};

const namesOfLine = (line: string, isProse: boolean): readonly string[] => {
  const bare = line.replace(BEFORE, '').replaceAll(NUMBERED, '');
  if (!isProse && ENDS_CODE.test(bare)) return [];
  const end = bare.search(AFTER);
  const head = end > 0 ? bare.slice(0, end) : '';
  const isNamed = line.length <= SHORT && !ENDS_OTHERWISE.test(bare);
  const whole = isNamed ? [bare] : [];
  const last = bare[end] === '(' ? (head.split(' ').at(-1) ?? '') : '';
  return [...whole, ...(isProse && wordsOf(head).length > LONGEST_WITHIN ? [] : [head]), last];
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
