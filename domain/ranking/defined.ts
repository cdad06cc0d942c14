import { wordsOf } from '../shared/words.ts';
import { definesTerm, mayName, termAsked } from './defined-terms.ts';
import { identifiersOf } from './identifiers.ts';
import { weightOfLength } from './link-lists.ts';
import { textNames } from './names.ts';

/** Hits among which definitions are looked for: the first so many. */
export const DEFINED_OF = 30;
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
