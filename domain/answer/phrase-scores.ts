import type { Passage } from './passage.ts';
import { readText, type ReadText } from './read-text.ts';
import { termsOf } from './terms.ts';

/** As K1 of BM25 (Robertson & Zaragoza 2009): how soon further occurrences add little. */
const SATURATION = 1.2;

/**
 * How much of a question stands in each passage as it was asked: of its neighbouring terms, how many stand next to each
 * other there too, stop words aside; those that few of these passages have count more (sequential dependence, Metzler &
 * Croft 2005, ordered and of two terms alone). 0 to 1, where 1 is the best of these passages; all 0 where none has any.
 */
export function phraseScores(
  question: string,
  passages: readonly Passage[],
  read = readText,
): readonly number[] {
  const pairs = pairsOf(question);
  if (pairs.size === 0) return passages.map(() => 0);
  const firsts = new Set([...pairs].map((pair) => pair.split(' ', 1)[0]!));
  const counts = passages.map(({ title, text }) => countPairs(pairs, firsts, title, read(text)));
  const weights = new Map<string, number>();
  for (const pair of pairs) {
    const holders = counts.filter((of) => of.has(pair)).length;
    weights.set(pair, Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5)));
  }
  const scores = counts.map((of) =>
    of.entries().reduce((sum, [pair, n]) => sum + (weights.get(pair) ?? 0) * (n / (n + SATURATION)), 0),
  );
  const highest = Math.max(...scores);
  return scores.map((score) => (highest > 0 ? score / highest : 0));
}

const pairOf = (one: string, next: string): string => `${one} ${next}`;

function pairsOf(question: string): ReadonlySet<string> {
  const terms = termsOf(question);
  return new Set(
    terms.flatMap((next, i) => {
      const one = terms[i - 1];
      return one === undefined || one === next ? [] : [pairOf(one, next)];
    }),
  );
}

/** Of these pairs, how often a text has each that it has. @param firsts what they begin with */
function countPairs(
  pairs: ReadonlySet<string>,
  firsts: ReadonlySet<string>,
  title: string,
  { terms, plain }: ReadText,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let before = '';
  for (const piece of [terms(title, []), ...plain()])
    for (const term of piece) {
      if (firsts.has(before)) {
        const pair = pairOf(before, term);
        if (pairs.has(pair)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
      before = term;
    }
  return counts;
}
