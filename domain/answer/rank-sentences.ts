import { type Asked, askedBy } from './asked.ts';
import { type Candidate, candidatesOf, definingOf } from './candidates.ts';
import { holdsKind } from './kinds.ts';
import type { Passage } from './passage.ts';
import { meantBy } from './meant.ts';
import { type ReadText, readText, type ReadTextOf } from './read-text.ts';
import { bm25, passageFactors, sumOf, weigh } from './weights.ts';
import { COMMON_TERMS, termsOf } from './terms.ts';

/**
 * Of the neighbouring terms of a question that both are of its subject and no common words, the share that stands next to each other in one of
 * these pieces too, in the same order: 0 to 1. Null where it has no such neighbours, as with a single term.
 *
 * @param pieces the terms of each sentence and of each title, in order
 */
function neighboursHeld(
  question: string,
  { subject }: Pick<Asked, 'subject'>,
  pieces: readonly (readonly string[])[],
): number | null {
  const asked = termsOf(question);
  const telling = subject.difference(COMMON_TERMS);
  const wanted = new Map<string, Set<string>>();
  let count = 0;
  for (const [i, next] of asked.entries()) {
    const one = asked[i - 1];
    if (one === undefined || one === next || !telling.has(one) || !telling.has(next)) continue;
    const known = wanted.get(one) ?? new Set();
    if (!known.has(next)) count += 1;
    wanted.set(one, known.add(next));
  }
  if (count === 0) return null;
  let held = 0;
  for (const piece of pieces)
    for (let i = 1; i < piece.length && held < count; i += 1)
      if (wanted.get(piece[i - 1]!)?.delete(piece[i]!) === true) held += 1;
  return held / count;
}

/** A sentence and how well it answers the question. */
export type RankedSentence = {
  /** Index of its passage. */
  readonly passage: number;
  /** Index in its passage. */
  readonly place: number;
  readonly text: string;
  readonly terms: () => ReadonlySet<string>;
  /** Terms of the question that it, what it stands under, or the title of its passage holds. */
  readonly matched: ReadonlySet<string>;
  /** Counts the headings of its passage up to it. */
  readonly section: number;
  readonly isStatement: boolean;
  /** Whether its heading or term is what the question is about. */
  readonly defines: boolean;
  /** Whether it stands in the definition of a signed term; absent where not. */
  readonly isOfTerm?: boolean | undefined;
  /** Whether it says itself what the subject is. */
  readonly isDefinition: boolean;
  /** Whether it is of the kind that is asked for, or the row that it explains. */
  readonly isOfKind: boolean;
  readonly score: number;
  /** The score without what makes a definition come before all: what the others are measured by. */
  readonly level: number;
};

export type Ranking = {
  readonly asked: Asked;
  /** Those that hold a term of the question or stand under one, best first; equal scores in reading order. */
  readonly sentences: readonly RankedSentence[];
  /** All, by passage and in reading order. */
  readonly texts: readonly (readonly RankedSentence[])[];
  /** Terms of the question's subject that no passage holds. */
  readonly missing: ReadonlySet<string>;
  /**
   * Share of the question, 0 to 1, that these of its terms make up. Each counts alike: what the search found is full of
   * what was asked for, and rare in it is what was said beside.
   */
  readonly coverage: (terms: ReadonlySet<string>) => number;
  /** As `neighboursHeld` has it, of these passages. */
  readonly neighbours: number | null;
};

const TITLE_WEIGHT = 0.3;
/** Of what a question or a heading scores, for the statement that follows it. */
const LEAD_WEIGHT = 0.5;
const NO_STATEMENT = 0.5;
const QUESTION = 0.2;
/**
 * A line of as many terms is hardly a heading: items of lists and lines before code say something without a full stop. But
 * of one word they say little, as all lists of links have it.
 */
const LONG_LINE = 6;
const LONG_LINE_WEIGHT = 0.75;
/** Characters in which a text ends. */
const ENDING = 40;
const FEW_TERMS = 4;
/**
 * What a passage counts at least, by its best three sentences: in answers more, as they kept to the one passage that has many;
 * with as much in the order of searches, names lose places.
 */
const MIN_IN_ANSWERS = 0.7;
const MIN_IN_SEARCHES = 0.5;
/** Of its own weight, what is of the kind that is asked for. */
const OF_KIND = 1.25;
/** Of the question, what defining counts at most where sentences are measured by the best. */
const MAX_OF_DEFINITION = 2;
/** How a synopsis is written. */
const SYNOPSIS = /\[\s*,\s*(?:\.\.\.|…)/;

/**
 * Ranks all sentences of the passages by BM25 (Robertson & Zaragoza 2009) with the sentence as the document, whose
 * term weights thus are those within these passages; adjusted by the headings and the title that it stands under, by
 * whether these are the subject of the question, by how well the passage matches as a whole, by the place of the passage,
 * which comes in the order of retrieval, and by form: questions, headings and stubs hardly answer, but what follows them
 * does.
 */
export function rankSentences(
  question: string,
  passages: readonly Passage[],
  read = readText,
  least = MIN_IN_ANSWERS,
): Ranking {
  const { asked, candidates, titles, titled, missing, judge } = contentParameters(
    question,
    passages,
    read,
    least,
  );
  const all = candidates.map((candidate, i) => ranked(candidate, titles[candidate.passage]!, judge(i)));
  return {
    asked,
    sentences: all.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score),
    texts: passages.map((_, passage) => all.filter((sentence) => sentence.passage === passage)),
    missing,
    coverage: (terms) => asked.terms.intersection(terms).size / (asked.terms.size || 1),
    neighbours: neighboursHeld(question, asked, [...titled, ...candidates.map(({ words }) => words)]),
  };
}

/** The score of the best sentence of each passage as `rankSentences` has it with the least of searches, 0 for none; without what answers need. */
export function bestScores(
  question: string,
  passages: readonly Passage[],
  read: ReadTextOf,
): readonly number[] {
  const { candidates, matching, judge } = contentParameters(question, passages, read, MIN_IN_SEARCHES);
  const best = passages.map(() => 0);
  for (const [i, { passage }] of candidates.entries())
    if (matching[i]! > 0) best[passage] = Math.max(best[passage]!, judge(i).score);
  return best;
}

type Judged = Pick<RankedSentence, 'score' | 'level' | 'isOfKind' | 'isDefinition'>;

/** Of the question, or of what is meant by it where passages lack a term. */
function contentParameters(question: string, passages: readonly Passage[], read: ReadTextOf, least: number) {
  const texts = passages.map(({ text }) => read(text));
  const asked = askedBy(question);
  const judged = judgingOf(asked, passages, texts, least);
  if (judged.missing.size === 0) return judged;
  const meant = meantBy(question, asked, judged.missing, texts);
  return meant === asked ? judged : judgingOf(meant, passages, texts, least);
}

/** `matching`: how well each candidate matches with what leads to it; where that is 0, so is its score. */
function judgingOf(asked: Asked, passages: readonly Passage[], texts: readonly ReadText[], least: number) {
  const candidates = passages.flatMap((passage, i) => candidatesOf(passage, texts[i]!, i, asked));
  const weights = weigh(asked, candidates);
  const averageLength =
    candidates.reduce((sum, { words }) => sum + words.length, 0) / (candidates.length || 1);
  const titled = passages.map(({ title }, i) => texts[i]!.terms(title, asked.names));
  const titles = titled.map((terms) => asked.terms.intersection(new Set(terms)));
  const own = candidates.map((candidate) => bm25(candidate, weights, averageLength));
  const factors = passageFactors(passages.length, candidates, own, least);
  const whole = sumOf(weights, asked.terms);
  const matching = candidates.map((candidate, i) => {
    const lead = isLedIn(candidates, i) ? LEAD_WEIGHT * own[i - 1]! : 0;
    const above = candidate.isStatement ? LEAD_WEIGHT * sumOf(weights, candidate.under) : 0;
    return own[i]! + Math.max(lead, above);
  });
  const judge = (i: number): Judged => {
    const candidate = candidates[i]!;
    const title = titles[candidate.passage]!;
    const defining = definingOf(candidate, asked) * whole;
    const isOfKind = holdsKind(withRow(candidate), asked.kind);
    const weighed = (matching[i]! + TITLE_WEIGHT * sumOf(weights, title)) * (isOfKind ? OF_KIND : 1);
    const share = matching[i] === 0 ? 0 : formOf(candidate, asked) * factors[candidate.passage]!;
    const score = (weighed + defining) * share;
    const level = (weighed + Math.min(defining, MAX_OF_DEFINITION * whole)) * share;
    return { score, level, isOfKind, isDefinition: defining > 0 };
  };
  const missing = new Set(asked.subject.values().filter((term) => !holds(candidates, titles, term)));
  return { asked, candidates, titles, titled, missing, matching, judge };
}

const holds = (
  candidates: readonly Candidate[],
  titles: readonly ReadonlySet<string>[],
  term: string,
): boolean => candidates.some(({ counts }) => counts.has(term)) || titles.some((title) => title.has(term));

/** What opens the explanation of a row says what holds of it: the row has its default. */
const withRow = ({ text, row, opens }: Candidate): string =>
  opens && row !== undefined ? `${row}\n${text}` : text;

function isLedIn(candidates: readonly Candidate[], i: number): boolean {
  const [previous, one] = [candidates[i - 1], candidates[i]!];
  return previous?.passage === one.passage && !previous.isStatement && one.isStatement;
}

function formOf({ text, isStatement, words: { length } }: Candidate, { isHow, subject }: Asked): number {
  const stub = Math.min(1, (length + 1) / (FEW_TERMS + 1));
  const isCode = text.includes('\n');
  if (isStatement && !SYNOPSIS.test(text) && (isHow || !isCode)) return stub;
  if (/[?？؟]\W*$/u.test(text.slice(-ENDING))) return stub * QUESTION;
  const isLongLine = !isStatement && length >= LONG_LINE && subject.size > 1;
  return stub * (isLongLine ? LONG_LINE_WEIGHT : NO_STATEMENT);
}

function ranked(
  { passage, place, text, counts, words, under, section, isStatement, defines, isOfTerm }: Candidate,
  title: ReadonlySet<string>,
  judged: Judged,
): RankedSentence {
  let set: ReadonlySet<string> | null = null;
  const terms = (): ReadonlySet<string> => (set ??= new Set(words));
  const matched = new Set(counts.keys()).union(under).union(title);
  return { passage, place, text, terms, matched, section, isStatement, defines, isOfTerm, ...judged };
}
