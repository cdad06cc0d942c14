import { isPlain, mayHaveWord, wordsOf } from '../shared/words.ts';
import { definesTerm } from './defined.ts';
import { MARK, queryNames, textNames, titleParts } from './names.ts';
import { termsOf } from './text-terms.ts';

/** A candidate of a search. */
export interface Candidate {
  /** Its page: candidates of one page support each other. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Score of the retrievers, 0 to 1. */
  readonly score: number;
}

/** The evidence that a candidate answers a query; each from 0 to 1. */
export interface Features {
  /** Score of the retrievers: words, vector, or both. */
  readonly retrieval: number;
  /** Terms that the query and the title have in common, as Dice's coefficient. */
  readonly titleTerms: number;
  /** 1: the title is the query. */
  readonly exactTitle: number;
  /** Neighbouring terms of the query that are neighbours in the candidate, relative to the best candidate. */
  readonly phrase: number;
  /** Terms of the query in one sentence, half of those in the sentences beside it, weighted by rarity. */
  readonly sentence: number;
  /** Candidates of the same page and their scores, relative to the best page; 0 for a query of one word. */
  readonly page: number;
  /** 1: the candidate defines a term that is the query; 0.5: it explains it under a heading. */
  readonly definition: number;
}

/**
 * Chosen on fourteen manuals, and judged on others (docs/research/search-ranking.md). A feature that loses less than a
 * point on those when it is left out does not stay.
 */
export const WEIGHTS: Features = {
  retrieval: 1,
  titleTerms: 0.4,
  exactTitle: 0.8,
  phrase: 0.3,
  sentence: 0.3,
  page: 0.3,
  definition: 0.4,
};
const NAMES = Object.keys(WEIGHTS) as readonly (keyof Features)[];

/** The weighted sum of the features: what the order of hits follows. */
export const scoreOf = (features: Features, weights: Features = WEIGHTS): number =>
  NAMES.reduce((sum, name) => sum + weights[name] * features[name], 0);

/** The score of a candidate that has everything but an exact title and a definition. */
export const FULL_SCORE = scoreOf({
  retrieval: 1,
  titleTerms: 1,
  exactTitle: 0,
  phrase: 1,
  sentence: 1,
  page: 1,
  definition: 0,
});

/** K1 of BM25 (Robertson & Zaragoza 2009): how soon further occurrences add little. */
const SATURATION = 1.2;
/** Value of each further candidate of a page, relative to the one before it. */
const FADE = 0.8;
/** Value of a term in a neighbouring sentence, relative to one in the sentence itself. */
const BESIDE = 0.5;
const SENTENCE_END = /\n+|(?<=[.!?。！？])\s+/u;

/**
 * Features of the first candidates of a search, in their order. Rarities are those among these candidates. The time is
 * linear in the length of query and texts.
 *
 * @param candidates best first
 */
export const featuresOf = (query: string, candidates: readonly Candidate[]): readonly Features[] => {
  const terms = termsOf(query);
  const asked = new Set(terms);
  const mayHold = holdingOneOf(asked);
  const sentences = candidates.map(({ text }) =>
    text.split(SENTENCE_END).map((sentence) => (mayHold(sentence) ? termsOf(sentence) : [])),
  );
  const held = sentences.map((of) => of.map((one) => new Set(one.filter((term) => asked.has(term)))));
  const rarity = raritiesOf(
    asked,
    held.map((of) => new Set(of.flatMap((one) => [...one]))),
  );
  const titles = candidates.map(({ title }) => titleParts(title));
  const typed = wordsOf(query).join(' ');
  const pages = /\s/.test(query.trim()) ? pageScores(candidates) : new Map<string, number>();
  const phrases = phraseScores(
    terms,
    candidates.map(({ title }, i) => [termsOf(title), ...sentences[i]!]),
  );
  const definition = definitionsOf(query);
  return candidates.map(({ page, text, score }, i) => ({
    retrieval: score,
    titleTerms: Math.max(...titles[i]!.map((part) => dice(asked, new Set(termsOf(part))))),
    exactTitle: typed !== '' && titles[i]!.some((part) => wordsOf(part).join(' ') === typed) ? 1 : 0,
    phrase: phrases[i]!,
    sentence: bestSentence(rarity, held[i]!),
    page: pages.get(page) ?? 0,
    definition: definition(text),
  }));
};

/** Terms up to which the test is faster than to read a sentence. */
const MAX_TESTED = 32;

/** A fast test whether a sentence may hold one of these terms; rules out most. A term begins each of its words. */
const holdingOneOf = (terms: ReadonlySet<string>): ((sentence: string) => boolean) => {
  if (terms.size === 0) return () => false;
  if (terms.size > MAX_TESTED) return () => true;
  const any = new RegExp([...terms].join('|'), 'i');
  return (sentence) => any.test(sentence) || !isPlain(sentence);
};

/** Inverse document frequency of each of these. @param held what each text holds */
const raritiesOf = (
  wanted: ReadonlySet<string>,
  held: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> =>
  new Map(
    [...wanted].map((one) => {
      const holders = held.filter((of) => of.has(one)).length;
      return [one, Math.log(1 + (held.length - holders + 0.5) / (holders + 0.5))];
    }),
  );

const dice = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);

/** @param held terms of the query in each sentence */
const bestSentence = (rarity: ReadonlyMap<string, number>, held: readonly ReadonlySet<string>[]): number => {
  const whole = sum(rarity.values());
  if (whole === 0) return 0;
  const scores = held.map((own, i) => {
    const beside = new Set([...(held[i - 1] ?? []), ...(held[i + 1] ?? [])]).difference(own);
    return own.size === 0 ? 0 : sumOf(rarity, own) + BESIDE * sumOf(rarity, beside);
  });
  return Math.max(0, ...scores) / whole;
};

const pageScores = (candidates: readonly Candidate[]): ReadonlyMap<string, number> => {
  const pages = new Map<string, { readonly total: number; readonly next: number }>();
  for (const { page, score } of candidates) {
    const { total, next } = pages.get(page) ?? { total: 0, next: 1 };
    pages.set(page, { total: total + score * next, next: next * FADE });
  }
  const best = Math.max(0, ...pages.values().map(({ total }) => total)) || 1;
  return new Map(pages.entries().map(([page, { total }]) => [page, total / best]));
};

/** Sequential dependence of two terms, in order (Metzler & Croft 2005). */
const phraseScores = (
  terms: readonly string[],
  texts: readonly (readonly (readonly string[])[])[],
): readonly number[] => {
  const wanted = new Set(pairsOf(terms));
  const counts = texts.map((sentences) => {
    const found = new Map<string, number>();
    for (const pair of wanted.size === 0 ? [] : sentences.flatMap(pairsOf))
      if (wanted.has(pair)) found.set(pair, (found.get(pair) ?? 0) + 1);
    return found;
  });
  const rarity = raritiesOf(
    wanted,
    counts.map((of) => new Set(of.keys())),
  );
  const scores = counts.map((of) =>
    sum(of.entries().map(([pair, n]) => (rarity.get(pair) ?? 0) * (n / (n + SATURATION)))),
  );
  const best = Math.max(0, ...scores) || 1;
  return scores.map((score) => score / best);
};

const pairsOf = (terms: readonly string[]): readonly string[] =>
  terms.flatMap((next, i) => (i === 0 || terms[i - 1] === next ? [] : [`${terms[i - 1]} ${next}`]));

/** Whether a text explains a name that the query has, as far as that is the whole query. */
const definitionsOf = (query: string): ((text: string) => number) => {
  const names = queryNames(query);
  const most = Math.max(0, ...names.values());
  if (most === 0) return () => 0;
  const may = [...names.keys()].map((name) => mayHaveWord(name.slice(MARK.length).split('_', 1)[0]!));
  return (text) => {
    const explained = new Set(textNames(text, (line) => may.some((mayHold) => mayHold(line))));
    const values = names.entries().map(([name, weight]) => {
      if (!explained.has(name)) return 0;
      return (weight / most) * (definesTerm(text, name) ? 1 : UNDER_HEADING);
    });
    return Math.max(0, ...values);
  };
};
const UNDER_HEADING = 0.5;

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
const sumOf = (weights: ReadonlyMap<string, number>, terms: Iterable<string>): number => {
  let total = 0;
  for (const term of terms) total += weights.get(term) ?? 0;
  return total;
};
