import { mistakes } from '../ranking/mistakes.ts';
import { wordsOf } from '../shared/words.ts';
import type { Asked } from './asked.ts';
import type { ReadText } from './read-text.ts';
import { termOf } from './terms.ts';

/** Letters below which another letter is mostly another word. */
const LEAST = 5;
const LETTERS = /^[a-z]+$/;
/** More are no misspelling. */
const MISTAKES = 1;
/** Each is held against all that the texts have; a question that lacks more is about something else. */
const MOST = 8;

/** Letters in which stems begin alike where their words may be near: `inst` and `install`, of `instal` and `install`. */
const ALIKE = 3;

/**
 * The question with terms that no text holds taken for the one that most pieces do, of those whose word is a letter away
 * from what was typed: a search finds `simultanous` as it has the stem of what was meant. The same where nothing is near.
 * Words are held against words, as stems may differ by less, `replication` and `replacing`, or by more.
 *
 * @param missing terms of the question that no text holds
 */
export function meantBy(
  question: string,
  asked: Asked,
  missing: ReadonlySet<string>,
  texts: readonly ReadText[],
): Asked {
  const words = wordsOf(question).filter((word) => word.length >= LEAST && LETTERS.test(word));
  const misspelt = [...missing].flatMap((term) => {
    const typed = words.filter((word) => termOf(word) === term);
    return typed.length === 0 ? [] : [{ term, typed }];
  });
  if (misspelt.length === 0 || misspelt.length > MOST) return asked;
  const holders = holdersIn(texts, asked.names);
  const meant = new Map<string, string>();
  for (const { term, typed } of misspelt) {
    const beginning = term.slice(0, ALIKE);
    const near = [...holders]
      .filter(([other]) => other.startsWith(beginning) || mistakes(term, other) <= MISTAKES)
      .toSorted(([, a], [, b]) => b.length - a.length)
      .find(([other, pieces]) => pieces.some((piece) => hasNear(piece, other, typed)));
    if (near !== undefined) meant.set(term, near[0]);
  }
  if (meant.size === 0) return asked;
  const as = (terms: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...terms].map((term) => meant.get(term) ?? term));
  return {
    ...asked,
    terms: as(asked.terms),
    subject: as(asked.subject),
    sort: as(asked.sort),
    called: as(asked.called),
  };
}

/** The pieces that have each term, once for each time. */
const holdersIn = (
  texts: readonly ReadText[],
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> => {
  const holders = new Map<string, string[]>();
  for (const { units, terms } of texts)
    for (const { text } of units)
      for (const term of terms(text, names, true)) {
        const known = holders.get(term);
        if (known === undefined) holders.set(term, [text]);
        else known.push(text);
      }
  return holders;
};

/** Whether a piece has a word with this term that is near one that was typed: `replacing` is not, for `replication`. */
const hasNear = (piece: string, term: string, typed: readonly string[]): boolean =>
  wordsOf(piece).some(
    (word) => termOf(word) === term && typed.some((one) => mistakes(one, word) <= MISTAKES),
  );
