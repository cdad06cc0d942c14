import type { Asked } from './asked.ts';
import type { Candidate } from './candidates.ts';
import { stem } from './terms.ts';

/** As in BM25 (Robertson & Zaragoza 2009). */
const K1 = 1.2;
/** Sentences differ less in length than documents: a full correction would prefer the shortest. */
const B = 0.35;
/** Of a word that only asks; but what is said of a default says so. */
const ASKING_WEIGHT = 0.5;
const DEFAULT = stem('default');

/** What a term weighs that so many of the pieces hold: the most where none does. Never negative. */
export const rarity = (holders: number, pieces: number): number =>
  Math.log(1 + (pieces - holders + 0.5) / (holders + 0.5));

/** Inverse document frequency of each term of the question; never negative. */
export function weigh(
  { terms, subject }: Asked,
  candidates: readonly Candidate[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const term of terms) {
    const holders = candidates.reduce((sum, { counts }) => sum + (counts.has(term) ? 1 : 0), 0);
    const weight = rarity(holders, candidates.length);
    weights.set(term, weight * (subject.has(term) || term === DEFAULT ? 1 : ASKING_WEIGHT));
  }
  return weights;
}

export function bm25(
  { counts, words: { length } }: Candidate,
  weights: ReadonlyMap<string, number>,
  average: number,
): number {
  const norm = K1 * (1 - B + (B * length) / (average || 1));
  let score = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term) ?? 0;
    if (count > 0) score += (weight * count * (K1 + 1)) / (count + norm);
  }
  return score;
}

/** The least to 1 by the best three sentences of each passage, and by its place. */
export function passageFactors(
  count: number,
  candidates: readonly Candidate[],
  own: readonly number[],
  least: number,
): number[] {
  const best = Array.from({ length: count }, (): [number, number, number] => [0, 0, 0]);
  for (const [i, { passage }] of candidates.entries()) {
    const [score, of] = [own[i]!, best[passage]!];
    if (score > of[0]) best[passage] = [score, of[0], of[1]];
    else if (score > of[1]) best[passage] = [of[0], score, of[1]];
    else if (score > of[2]) of[2] = score;
  }
  const sums = best.map(([a, b, c]) => a + b + c);
  const highest = sums.reduce((most, sum) => Math.max(most, sum), 0) || 1;
  return sums.map((sum, place) => (least + ((1 - least) * sum) / highest) * factorOfPlace(place));
}

/** A little less for each place further down. */
export const factorOfPlace = (place: number): number => 1 / (1 + 0.05 * place);

export function sumOf(weights: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}
