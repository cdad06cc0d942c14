import { termOf, termsOf } from '../ranking/text-terms.ts';
import type { WordRarity } from '../ranking/term-weights.ts';
import { countWords, wordsOf } from '../shared/words.ts';
import { withoutMarks } from './citation-marks.ts';
import type { Passage } from './passage.ts';
import { type Unit, unitsOf } from './units.ts';

/** A part of a passage that comes closest to a question. */
export interface ClosestPassage {
  /** Title of the page, then the headings that the part stands under. */
  readonly path: readonly string[];
  /** Verbatim, as Markdown: paragraphs, lists, rows of tables, fenced code. */
  readonly text: string;
  /** Number of the passage, from 1. */
  readonly citation: number;
}

export interface Closest {
  /** At most three, best first; none where no passage can hold anything of the question. */
  readonly passages: readonly ClosestPassage[];
  /** Whether they hold so little of the question's rare words that they hardly answer it. */
  readonly isWeak: boolean;
}

const MAX_PASSAGES = 3;
/** Length of a part in UTF-16 units; a list, a table or code that is longer stays whole. */
const MAX_LENGTH = 600;
/** K1 of BM25 (Robertson & Zaragoza 2009): how soon further occurrences add little. */
const SATURATION = 1.2;
/** Share of the question's rarity, below which the passages are weak. */
const MIN_SHARE = 0.45;

/**
 * Cuts each passage to the part that holds most of the question's rare words, and takes the three best parts with
 * different texts. A passage that holds none of them is shown only where the search knew the words: it finds them in
 * forms that are not told apart here. The time is linear in the length of the passages. Nothing in a part can be read as
 * a citation.
 *
 * @param passages best first: of equal parts the first
 * @param rarities of the question's words; stop words are not among them. Empty: all words count the same
 */
export const closestPassages = (
  question: string,
  passages: readonly Passage[],
  rarities: readonly WordRarity[] = [],
): Closest => {
  const weights = weightsOf(question, rarities);
  if (![...weights.values()].some((weight) => weight < UNKNOWN)) return NOTHING;
  const best = passages
    .flatMap((passage, i) => partOf(passage, weights).map((part) => ({ ...part, citation: i + 1 })))
    .filter(({ score }) => score > 0 || rarities.length > 0)
    .toSorted((a, b) => b.score - a.score)
    .filter(({ text }, i, all) => all.findIndex((one) => one.text === text) === i)
    .slice(0, MAX_PASSAGES);
  const whole = sumOf(weights, weights.keys());
  const shares = best.map(({ citation }) => {
    const { title, text } = passages[citation - 1]!;
    return sumOf(weights, new Set(termsOf(`${title}\n${text}`))) / whole;
  });
  return {
    passages: best.map(({ path, text, citation }) => ({ path, text, citation })),
    isWeak: Math.max(0, ...shares) < MIN_SHARE,
  };
};

const NOTHING: Closest = { passages: [], isWeak: true };
/** Rarity of a word that no content has. */
const UNKNOWN = 1;

/** Rarities of the terms of a question, stop words left out. */
const weightsOf = (question: string, rarities: readonly WordRarity[]): ReadonlyMap<string, number> => {
  const known = new Map(rarities.map(({ word, rarity }) => [word, rarity]));
  const isRanked = rarities.length > 0;
  const weights = new Map<string, number>();
  for (const word of wordsOf(question)) {
    const term = termOf(word);
    if (term !== null && (!isRanked || known.has(word))) weights.set(term, known.get(word) ?? DEFAULT);
  }
  return weights;
};
/** Of each word, where the search has not said how rare they are. */
const DEFAULT = 0.5;

/** The part of a passage that holds most of the question, else its beginning; none of an empty passage. */
const partOf = (
  { title, text }: Passage,
  weights: ReadonlyMap<string, number>,
): readonly (Omit<ClosestPassage, 'citation'> & { readonly score: number })[] => {
  const asked = (of: string): readonly string[] => termsOf(of).filter((term) => weights.has(term));
  const units = unitsOf(text);
  const held = units.map((unit) => asked(unit.text));
  const inTitle = asked(title);
  let best = { from: 0, to: 0, score: -1 };
  for (const [from, { headings }] of units.entries()) {
    const to = endOfPart(units, from);
    const above = new Set([...inTitle, ...headings.flatMap(asked)]);
    const counts = countWords([...above, ...held.slice(from, to).flat()]);
    let score = 0;
    for (const [term, n] of counts) score += weights.get(term)! * (n / (n + SATURATION));
    if (score > best.score) best = { from, to, score };
  }
  const first = units[best.from];
  if (first === undefined) return [];
  const path = [title, ...first.headings].map(oneLine);
  return [
    {
      path: path.filter((one, i) => one !== '' && one !== path[i - 1]),
      text: joined(units.slice(best.from, best.to)),
      score: best.score,
    },
  ];
};

/** Up to where units fit into a part, at least one. */
const endOfPart = (units: readonly Unit[], from: number): number => {
  let length = units[from]!.text.length;
  let to = from + 1;
  while (to < units.length && length + units[to]!.text.length <= MAX_LENGTH)
    length += units[to++]!.text.length;
  return to;
};

/** Headings between the units stand on lines of their own. */
const joined = (units: readonly Unit[]): string =>
  units
    .map(({ text, joint, headings, section }, i) => {
      const before = units[i - 1];
      if (before === undefined) return text;
      return section === before.section
        ? joint + text
        : `\n\n**${headings.map(oneLine).join(' › ')}**\n\n${text}`;
    })
    .join('');

const sumOf = (weights: ReadonlyMap<string, number>, terms: Iterable<string>): number => {
  let total = 0;
  for (const term of terms) total += weights.get(term) ?? 0;
  return total;
};

const CLOSEST = 'Closest passages:';
/** Begins an answer whose passages hold little of the question. */
export const WEAK = 'No page seems to answer this. Closest passages:';
/** The answer where no passage can hold anything of the question. */
export const NO_ANSWER = 'The indexed content does not answer this question.';
const MAX_TITLES = 3;

/**
 * The Markdown of an answer in the pieces in which it is streamed: an introduction, and each passage under its path and
 * citation. Without passages it says that there is no answer, and names the nearest pages.
 *
 * @param cite whether to add citations
 */
export const answerPieces = (
  { passages, isWeak }: Closest,
  nearest: readonly Passage[],
  cite = true,
): readonly string[] => {
  if (passages.length === 0) return cite ? [NO_ANSWER, nearestPages(nearest)] : [NO_ANSWER];
  return [
    isWeak ? WEAK : CLOSEST,
    ...passages.map(
      ({ path, text, citation }) => `\n\n**${path.join(' › ')}**${cite ? ` [${citation}]` : ''}\n\n${text}`,
    ),
  ];
};

/** Titles and addresses of the first pages; empty where the passages name none. */
const nearestPages = (passages: readonly Passage[]): string => {
  const lines = new Set(passages.map(({ title, url = '' }) => `${oneLine(title)} ${addressOf(url)}`.trim()));
  const named = [...lines].filter((line) => line !== '').slice(0, MAX_TITLES);
  return named.length === 0 ? '' : `\n\nThe nearest pages:${named.map((line) => `\n- ${line}`).join('')}`;
};

const oneLine = (text: string): string => withoutMarks(text.replaceAll(/\s+/g, ' ').trim());
const addressOf = (url: string): string =>
  url.replaceAll(/[\s[\]【】`]/g, (sign) => encodeURIComponent(sign));
