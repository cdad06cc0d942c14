import { countWords, wordsOf } from '../shared/words.ts';
import { brevityOf } from './closer-look.ts';
import { type Scored, sharingOf } from './page-evidence.ts';

/** What of a hit is compared. */
export interface ComparedText {
  readonly title: string;
  readonly text: string;
}

/** Characters of a text that are read. */
const LENGTH = 20_000;
/** Words that are kept, each once for each text that has it: some 4,000 texts, 10 MiB with them. */
const MAX_KEPT = 300_000;

/** The words of a text by their numbers, and 1 + log of how often it has each. */
interface Counted {
  readonly title: string;
  readonly numbers: Int32Array;
  readonly weights: Float64Array;
}

/**
 * Compares texts by the words that they share: cosines, where a word weighs the more the fewer of these texts have it. So
 * it needs nothing but the texts. Words of texts that were compared before are kept; a text is known by itself, so that none
 * that has changed is taken for another. When there are too many, all are forgotten.
 *
 * @param maxKept words, each once for each text that has it
 */
export const createTextSimilarity = (
  maxKept = MAX_KEPT,
): ((texts: readonly ComparedText[]) => LikenessOf) => {
  const numbers = new Map<string, number>();
  const kept = new Map<string, Counted>();
  let size = 0;
  const read = ({ title, text }: ComparedText): Counted => {
    const known = kept.get(text);
    if (known?.title === title) return known;
    const counts = [...countWords(wordsOf(`${title}\n${text}`.slice(0, LENGTH)))];
    const numberOf = (word: string): number => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    };
    const counted = {
      title,
      numbers: Int32Array.from(counts, ([word]) => numberOf(word)),
      weights: Float64Array.from(counts, ([, n]) => 1 + Math.log(n)),
    };
    size += counts.length;
    kept.set(text, counted);
    return counted;
  };
  return (texts) => {
    if (size > maxKept) {
      numbers.clear();
      kept.clear();
      size = 0;
    }
    const cosines = cosinesOf(texts.map(read), numbers.size);
    return (one, other) => cosines[one * texts.length + other] ?? 0;
  };
};

/** Of each two, row by row. @param words that have a number */
const cosinesOf = (texts: readonly Counted[], words: number): Float64Array => {
  const having = new Float64Array(words);
  for (const { numbers } of texts) for (const word of numbers) having[word] = (having[word] as number) + 1;
  const vectors = texts.map(({ numbers, weights }) => {
    const vector = weights.map(
      (weight, i) => weight * Math.log(1 + texts.length / (having[numbers[i] as number] as number)),
    );
    const length = Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0)) || 1;
    return { numbers, values: vector.map((value) => value / length) };
  });
  const cosines = new Float64Array(texts.length ** 2);
  const spread = new Float64Array(words);
  for (const [i, { numbers, values }] of vectors.entries()) {
    for (let at = 0; at < numbers.length; at++) spread[numbers[at] as number] = values[at] as number;
    for (const [j, other] of vectors.slice(0, i + 1).entries()) {
      let sum = 0;
      for (let at = 0; at < other.numbers.length; at++)
        sum += (spread[other.numbers[at] as number] as number) * (other.values[at] as number);
      cosines[i * texts.length + j] = sum;
      cosines[j * texts.length + i] = sum;
    }
    for (const word of numbers) spread[word] = 0;
  }
  return cosines;
};

/** Hits that speak for those like them: the first so many. With 30 and 50 nothing more was found. */
export const ALIKE_OF = 20;
/** Of the others, those that speak for a hit: what is like it and scores well. Between 3 and 10 little changed. */
const NEIGHBOURS = 5;
/** What their mean counts beside the 1 of a hit's own score. Likeness is seldom above 0.4. */
const WEIGHT = 1.25;

/** How alike two hits are, by their places: 0 to 1. */
export type LikenessOf = (one: number, other: number) => number;

/**
 * How much hits like it count for a hit: 0 to 1.25. Nothing for a short query, which names a thing or asks one question: a
 * sentence tells more there, see `brevityOf`. And nothing where pages have several hits: there pages speak for their hits
 * already, and what is like a passage is mostly the same of another thing.
 *
 * @param terms of the query
 * @param pages of the hits, best first
 */
export const weightOfAlike = (terms: number, pages: readonly string[]): number =>
  WEIGHT * (1 - brevityOf(terms)) * (1 - sharingOf(pages));

/**
 * What answers a question is often alike: a hit is the likelier to answer it the more it is like others that score well
 * (van Rijsbergen's cluster hypothesis; one step of smoothing, with the nearest five, of what Diaz, "Regularizing ad hoc
 * retrieval scores", 2005, solves for all).
 *
 * @param hits best first, their scores from 0 to 1
 * @param likeness of the first 20
 * @returns their scores in the same order, and no more in order: the best is what the best was, and none of those behind the first 20
 *   comes before one of them
 */
export const withAlike = (
  hits: readonly Scored[],
  likeness: LikenessOf,
  weight: number,
): readonly number[] => {
  const first = hits.slice(0, ALIKE_OF);
  const raised = first.map(({ score }, i) => {
    const said = first.map((other, j) => (i === j ? 0 : likeness(i, j) * other.score));
    const nearest = said.toSorted((a, b) => b - a).slice(0, NEIGHBOURS);
    return score + (weight * nearest.reduce((sum, one) => sum + one, 0)) / NEIGHBOURS;
  });
  const highest = Math.max(0, ...raised);
  const scale = highest > 0 ? (first[0]?.score ?? 0) / highest : 1;
  return hits.map(({ score }, i) => (raised[i] ?? score) * scale);
};
