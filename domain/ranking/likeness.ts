import { countWords, wordsOf } from '../shared/words.ts';
import type { LikenessOf } from './alike.ts';

/** What of a hit is compared. */
export interface ComparedText {
  readonly title: string;
  readonly text: string;
}

/** Characters of a text that are read. */
const LENGTH = 20_000;
/** Words that are kept, each once for each text that has it: some 4,000 texts, 10 MiB with them. */
const MOST_KEPT = 300_000;

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
 * @param mostKept words, each once for each text that has it
 */
export const createLikeness = (mostKept = MOST_KEPT): ((texts: readonly ComparedText[]) => LikenessOf) => {
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
    if (size > mostKept) {
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
