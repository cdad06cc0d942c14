import { goingOn, MOST_CHARACTERS, termOf, withReferences } from './belonging.ts';
import { withHeadings } from './headings.ts';
import { withSteps } from './how-to.ts';
import { isAbout } from './is-about.ts';
import type { Passage } from './passage.ts';
import { rankSentences } from './rank-sentences.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** A sentence of an answer and the number of the passage that it stands in, from 1. */
export type AnswerSentence = { readonly text: string; readonly citation: number };

/** The whole answer where the passages hold none. */
export const NO_ANSWER = 'The indexed content does not answer this question.';

const MOST_SENTENCES = 5;
/** Of the best score: for a sentence that adds nothing new of the question, and for one that does. */
const LEAST_SCORE = 0.5;
const LEAST_SCORE_OF_NEW = 0.3;
/** Weight of the score against that of being unlike what is chosen already. */
const LAMBDA = 0.7;
/** Sentences more alike than this say the same. */
const MOST_ALIKE = 0.7;

/**
 * The one to five sentences of the passages that answer the question best, with the headings that they stand under and the
 * steps that follow where it is asked how to do something; none where no sentence comes near it. The same input gives the
 * same answer; the time is linear in its length.
 *
 * Every sentence stands in its passage as it is here, but for whitespace. None holds a number in brackets that could
 * be taken for a citation; see `sentencesOf`. Together they have at most 1,600 characters.
 *
 * Chosen by maximal marginal relevance (Carbonell & Goldstein 1998). The passage of the best sentence comes first, the
 * sentences of one passage stand in reading order; but a sentence that defines what is asked for comes before all, with
 * what goes on from it.
 */
export function extractiveAnswer(question: string, passages: readonly Passage[]): AnswerSentence[] {
  const ranking = rankSentences(question, passages);
  const best = ranking.sentences[0];
  if (best === undefined || !isAbout(ranking)) return [];
  const first = [...termOf(ranking, best, true), best, ...goingOn(ranking, best)];
  const chosen = choose(ranking, best, first);
  const ordered = best.isDefinition
    ? [...first, ...inOrder(chosen).filter((one) => !first.includes(one))]
    : inOrder(chosen);
  const whole = withSteps(ranking, best, withHeadings(ranking, withReferences(ranking, ordered)));
  return whole.map(({ text, passage }) => ({ text, citation: passage + 1 }));
}

/** The pieces of the answer's text, in order: each sentence with its citation if wanted, passages as paragraphs. */
export function answerPieces(sentences: readonly AnswerSentence[], cite = true): string[] {
  if (sentences.length === 0) return [NO_ANSWER];
  return sentences.map(({ text, citation }, i) => {
    const before = sentences[i - 1];
    const gap = before === undefined ? '' : before.citation === citation ? ' ' : '\n\n';
    return `${gap}${text}${cite ? ` [${citation}]` : ''}`;
  });
}

function choose(
  { sentences, coverage }: Ranking,
  best: RankedSentence,
  first: readonly RankedSentence[],
): RankedSentence[] {
  const chosen = [...first];
  let matched = best.matched;
  let characters = first.reduce((sum, { text }) => sum + text.length, 0);
  // How alike each is to what is chosen; grows with every choice.
  const alike = sentences.map((sentence) => Math.max(...first.map((one) => likeness(sentence, one))));
  const most = MOST_SENTENCES + (first.length - 1);
  while (chosen.length < most) {
    const next = mostRelevant(sentences, alike, best.level, (sentence) => {
      if (characters + sentence.text.length > MOST_CHARACTERS) return false;
      const isNew = coverage(sentence.matched.difference(matched)) > 0;
      return sentence.level >= best.level * (isNew ? LEAST_SCORE_OF_NEW : LEAST_SCORE);
    });
    if (next === undefined) break;
    chosen.push(next);
    matched = matched.union(next.matched);
    characters += next.text.length;
    for (const [i, sentence] of sentences.entries()) alike[i] = Math.max(alike[i]!, likeness(sentence, next));
  }
  return chosen;
}

function mostRelevant(
  sentences: readonly RankedSentence[],
  alike: readonly number[],
  bestLevel: number,
  fits: (sentence: RankedSentence) => boolean,
): RankedSentence | undefined {
  let found: RankedSentence | undefined;
  let highest = 0;
  for (const [i, sentence] of sentences.entries()) {
    const relevance = (LAMBDA * sentence.level) / bestLevel - (1 - LAMBDA) * alike[i]!;
    if (alike[i]! > MOST_ALIKE || relevance <= highest || !fits(sentence)) continue;
    [found, highest] = [sentence, relevance];
  }
  return found;
}

/** Cosine of the two sets of terms, 0 to 1. */
function likeness(a: RankedSentence, b: RankedSentence): number {
  if (a === b || a.text === b.text) return 1;
  const [ofA, ofB] = [a.terms(), b.terms()];
  const common = ofA.intersection(ofB).size;
  return common === 0 ? 0 : common / Math.sqrt(ofA.size * ofB.size);
}

function inOrder(chosen: readonly RankedSentence[]): RankedSentence[] {
  const order = [...new Set(chosen.map(({ passage }) => passage))];
  return chosen.toSorted((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.place - b.place);
}
