import { TERM_SIGN, isTerm, mayHaveWord, wordsOf } from '../shared/words.ts';
import { identifiersOf } from './identifiers.ts';
import { weightOfLength } from './link-lists.ts';
import { textNames, ASKING, MARK } from './names.ts';

/** What may be asked of a thing by its name, and what it may be called beside. */
const ASKED_OF = new Set(
  `argument attribute command default definition description directive field flag function keyword maximum meaning minimum
  option parameter purpose range setting statement syntax unit use used value variable work`.split(/\s+/),
);
/** Words of the longest name. */
const LONGEST = 5;

/**
 * The name that is all that a query says beside words that ask, as `textNames` has it: `recursion`, and that of `What is the
 * default of recursion?`. Null where there is none.
 */
export const termAsked = (query: string): string | null => {
  const words = wordsOf(query);
  const asks = (word: string): boolean => ASKING.has(word) || ASKED_OF.has(word);
  const name = words.every(asks)
    ? words
    : words.slice(
        words.findIndex((word) => !asks(word)),
        words.findLastIndex((word) => !asks(word)) + 1,
      );
  return name.length === 0 || name.length > LONGEST ? null : `${MARK}${name.join('_')}`;
};

/**
 * Whether a text defines what is called so as a term that is signed: not where it only goes on with the definition.
 *
 * @param typed what the term must have as it stands
 */
export const definesTerm = (text: string, name: string, typed = ''): boolean => {
  const mayNameIt = mayName(name.slice(MARK.length));
  for (let at = text.indexOf(TERM_SIGN); at >= 0; at = text.indexOf(TERM_SIGN, at + 1)) {
    const end = at + TERM_SIGN.length;
    if (end < text.length && text[end] !== '\n') continue;
    const start = text.lastIndexOf('\n', at) + 1;
    const term = text.slice(start, at);
    if (!mayNameIt(term) || !term.includes(typed)) continue;
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

/** Hits among which definitions are looked for: the first so many. */
const DEFINED_OF = 30;
/** As many hits may define a name: a heading that many sections have defines nothing. */
const FEW = 5;
/** Names of a query that are looked for. */
const MOST = 4;

/** A hit, or what is asked of it here. */
export interface Definable {
  readonly text: string;
  readonly score: number;
}

/**
 * Whoever asks about an identifier, such as the unit of `KEYTIMEOUT`, is answered where it is defined: as a heading, the
 * term of a definition or at the beginning of a line, as `textNames` reads them. Sentences with the other words of the
 * question may stand anywhere, and where few of the first hits have one of these words, it would count most. Of a query that says
 * nothing but a name, of whatever words, that is the hit which has it as a term that is signed, and written as it was typed where
 * one is. Nothing changes where many hits have it as a heading, or none has.
 *
 * @param hits best first, their scores from 0 to 1
 * @param weight what it counts beside a score that a hit defines all that the query names
 * @returns what the hits are ordered by, in the order given: their scores, those of raised ones above 1 where that puts them first
 */
export const withDefinitions = (
  query: string,
  hits: readonly Definable[],
  weight: number,
): readonly number[] => {
  const names = weight === 0 ? [] : namedIn(query);
  const term = weight === 0 || names.length > 0 ? null : termAsked(query);
  if (names.length === 0 && term === null) return hits.map(({ score }) => score);
  const first = hits.slice(0, DEFINED_OF).map(({ text }) => text);
  const asked = names.map(({ typed, name }) => {
    const isNamed = mayName(name);
    return placesOf(first, (text) => defines(text, typed, name, isNamed));
  });
  if (term !== null) asked.push(definingTerm(first, term, query.trim()));
  const raised = hits.map(() => 0);
  for (const defining of asked) {
    if (defining.length > FEW) continue;
    for (const i of defining) raised[i] = (raised[i] as number) + weight / asked.length;
  }
  return hits.map(({ score }, i) => score + (raised[i] as number));
};

const placesOf = (texts: readonly string[], isMeant: (text: string) => boolean): readonly number[] =>
  texts.flatMap((text, i) => (isMeant(text) ? [i] : []));

/** Which define it as a term; where some write it with the capitals that were typed, these: `LOCAL` is not `local`. */
const definingTerm = (texts: readonly string[], term: string, typed: string): readonly number[] => {
  const all = placesOf(texts, (text) => definesTerm(text, term));
  const asTyped = all.filter((i) => definesTerm(texts[i] as string, term, typed));
  return asTyped.length > 0 ? asTyped : all;
};

/** Where a name begins at the latest in the line that defines it, behind marks, a number and a word. UTF-16 units. */
const BEGINNING = 40;
/** What is read of a text from there: the line, and prose below. */
const BELOW = 800;
/** Lines that are read of a text: one that has more is about the name all over. */
const LINES = 8;

/** Most texts do not have it, or only within their lines, which is soon seen. */
const defines = (text: string, typed: string, name: string, isNamed: (line: string) => boolean): boolean => {
  let lines = 0;
  for (let at = text.indexOf(typed); at >= 0 && lines < LINES; at = text.indexOf(typed, at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1;
    if (at - start > BEGINNING) continue;
    lines += 1;
    // With the end of what stands above, which tells whether a row stands alone.
    const names = textNames(text.slice(Math.max(0, start - 2), start + BELOW), isNamed);
    if (names.some((one) => one === `=${name}` || isBeside(name, one))) return weightOfLength(text) === 1;
  }
  return false;
};

/** One word more may say what it is: `KEYTIMEOUT variable`, `PRAGMA cache_size`. */
const isBeside = (name: string, of: string): boolean =>
  (of.startsWith(`=${name}_`) || of.endsWith(`_${name}`)) &&
  of.split('_').length === name.split('_').length + 1;

interface Named {
  readonly typed: string;
  /** As `textNames` has it, without its mark. */
  readonly name: string;
}

/** `KEYTIMEOUT`, `PS1`; and a name that is written with a capital, which a first word has anyway. */
const CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]{2,}$/u;
const CAPITAL = /^\p{Lu}\p{Ll}/u;

/** Identifiers of a query that says more, each once: where most of its words look like some, capitals tell nothing. */
const namedIn = (query: string): readonly Named[] => {
  const typed = [...new Set(query.match(/[\p{L}\p{N}_.:-]+/gu))].map((one) => one.replace(/[.:]+$/, ''));
  const found = typed.filter(
    (one, i) => CAPITALS.test(one) || (i > 0 && CAPITAL.test(one)) || identifiersOf(one).length > 0,
  );
  if (2 * found.length > typed.length) return [];
  return found.slice(0, MOST).map((one) => ({ typed: one, name: wordsOf(one).join('_') }));
};
