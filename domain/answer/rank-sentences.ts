import type { Passage } from './passage.ts';
import { sentencesOf } from './sentences.ts';
import type { Sentence } from './sentences.ts';
import { termsOf } from './terms.ts';

/** A sentence and how well it answers the question. */
export type RankedSentence = {
  /** Index of its passage. */
  readonly passage: number;
  /** Index in its passage. */
  readonly place: number;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** Terms of the question that it or the title of its passage holds. */
  readonly matched: ReadonlySet<string>;
  readonly score: number;
};

export type Ranking = {
  /** Distinct terms of the question. */
  readonly terms: number;
  /** Those that hold a term of the question, best first; equal scores in reading order. */
  readonly sentences: readonly RankedSentence[];
  /** Share of the question, 0 to 1, that these of its terms make up; a rare term is a larger part of it. */
  readonly coverage: (terms: ReadonlySet<string>) => number;
};

const K1 = 1.2;
/** Sentences differ less in length than documents: a full correction would prefer the shortest. */
const B = 0.35;
const TITLE_WEIGHT = 0.3;
/** Of what a question or a heading scores, for the statement that follows it. */
const LEAD_WEIGHT = 0.5;
const NO_STATEMENT = 0.5;
const QUESTION = 0.2;
const FEW_TERMS = 4;

type Candidate = Sentence & {
  readonly passage: number;
  readonly place: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
};

/**
 * Ranks all sentences of the passages by BM25 (Robertson & Zaragoza 2009) with the sentence as the document, whose
 * term weights thus are those within these passages; adjusted by the title, by how well the passage matches as a
 * whole, by the place of the passage, which comes in the order of retrieval, and by form: questions, headings and
 * stubs hardly answer, but what follows them does.
 */
export function rankSentences(question: string, passages: readonly Passage[]): Ranking {
  const asked = new Set(termsOf(question));
  const candidates = passages.flatMap(candidatesOf);
  const weights = weigh(asked, candidates);
  const averageLength = candidates.reduce((sum, { length }) => sum + length, 0) / (candidates.length || 1);
  const titles = passages.map(({ title }) => new Set(termsOf(title).filter((term) => asked.has(term))));
  const own = candidates.map((candidate) => bm25(candidate, weights, averageLength));
  const factors = passageFactors(passages.length, candidates, own);
  const sentences = candidates.flatMap((candidate, i) => {
    const lead = isLedIn(candidates, i) ? LEAD_WEIGHT * own[i - 1]! : 0;
    const matching = own[i]! + lead;
    if (matching === 0) return [];
    const title = titles[candidate.passage]!;
    const score = (matching + TITLE_WEIGHT * sumOf(weights, title)) * formOf(candidate);
    return [ranked(candidate, title, asked, score * factors[candidate.passage]!)];
  });
  const whole = sumOf(weights, asked);
  return {
    terms: asked.size,
    sentences: sentences.toSorted((a, b) => b.score - a.score),
    coverage: (terms) => (whole === 0 ? 0 : sumOf(weights, terms) / whole),
  };
}

function candidatesOf({ text }: Passage, passage: number): Candidate[] {
  return sentencesOf(text).map((sentence, place) => {
    const terms = termsOf(sentence.text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { ...sentence, passage, place, counts, length: terms.length };
  });
}

/** Inverse document frequency of each term of the question; never negative. */
function weigh(asked: ReadonlySet<string>, candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const term of asked) {
    const holders = candidates.reduce((sum, { counts }) => sum + (counts.has(term) ? 1 : 0), 0);
    weights.set(term, Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5)));
  }
  return weights;
}

function bm25({ counts, length }: Candidate, weights: ReadonlyMap<string, number>, average: number): number {
  const norm = K1 * (1 - B + (B * length) / (average || 1));
  let score = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term) ?? 0;
    if (count > 0) score += (weight * count * (K1 + 1)) / (count + norm);
  }
  return score;
}

/** 0.5 to 1 by the best three sentences of each passage, and a little less for each place further down. */
function passageFactors(count: number, candidates: readonly Candidate[], own: readonly number[]): number[] {
  const best = Array.from({ length: count }, (): [number, number, number] => [0, 0, 0]);
  for (const [i, { passage }] of candidates.entries()) {
    const [a, b, c] = best[passage]!;
    best[passage] = [a, b, c, own[i]!].toSorted((x, y) => y - x).slice(0, 3) as [number, number, number];
  }
  const sums = best.map(([a, b, c]) => a + b + c);
  const highest = sums.reduce((most, sum) => Math.max(most, sum), 0) || 1;
  return sums.map((sum, place) => (0.5 + (0.5 * sum) / highest) / (1 + 0.05 * place));
}

function isLedIn(candidates: readonly Candidate[], i: number): boolean {
  const [previous, one] = [candidates[i - 1], candidates[i]!];
  return previous?.passage === one.passage && !previous.isStatement && one.isStatement;
}

function formOf({ text, isStatement, length }: Candidate): number {
  const stub = Math.min(1, (length + 1) / (FEW_TERMS + 1));
  if (isStatement) return stub;
  return stub * (/[?？؟]\W*$/u.test(text) ? QUESTION : NO_STATEMENT);
}

function ranked(
  { passage, place, text, counts }: Candidate,
  title: ReadonlySet<string>,
  asked: ReadonlySet<string>,
  score: number,
): RankedSentence {
  const terms = new Set(counts.keys());
  return { passage, place, text, terms, matched: asked.intersection(terms).union(title), score };
}

function sumOf(weights: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}
