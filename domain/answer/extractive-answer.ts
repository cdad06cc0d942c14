import { withNeighbours } from './around.ts';
import { goingOn, termOf, withReferences } from './belonging.ts';
import { withHeadings } from './headings.ts';
import { withSteps } from './how-to.ts';
import { isAbout } from './is-about.ts';
import type { UnwrittenWord } from '../ranking/unwritten.ts';
import type { Passage } from './passage.ts';
import { rankSentences } from './rank-sentences.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';
import { beginningOf, standingWith, termsTelling } from './within-definition.ts';

/** A sentence of an answer and the number of the passage that it stands in, from 1. */
export type AnswerSentence = { readonly text: string; readonly citation: number };

/** The whole answer where the passages hold none. */
export const NO_ANSWER = 'The indexed content does not answer this question.';

/** Of what is chosen; what comes along with it is more. */
const MOST_SENTENCES = 8;
const MOST_CHOSEN = 900;
/** Of the best score: for a sentence that adds nothing new of the question, and for one that does. */
const LEAST_SCORE = 0.4;
const LEAST_SCORE_OF_NEW = 0.3;
/** Weight of the score against that of being unlike what is chosen already. */
const LAMBDA = 0.7;
/** Sentences more alike than this say the same. */
const MOST_ALIKE = 0.7;
/** Of the best score, for what is of the kind that is asked for. */
const OF_KIND = 0.3;
/** A sentence that is twice as long must be worth 2 ^ 0.2 as much; characters that any counts beside its own. */
const BY_LENGTH = 0.2;
const ANY_LENGTH = 30;

/**
 * The one to eight sentences of the passages that answer the question best, with the headings that they stand under, what
 * stands beside the best of them, and the steps that follow where it is asked how to do something; none where no sentence
 * comes near it. The same input gives the same answer; the time is linear in its length.
 *
 * Every sentence stands in its passage as it is here, but for whitespace. None holds a number in brackets that could
 * be taken for a citation; see `sentencesOf`. Together they have at most 1,600 characters.
 *
 * Chosen by maximal marginal relevance (Carbonell & Goldstein 1998). The passage of the best sentence comes first, the
 * sentences of one passage stand in reading order; but a sentence that defines what is asked for comes before all, with
 * what goes on from it.
 *
 * @param unwritten words that were searched for and are in no text, also in none but these passages
 */
export function extractiveAnswer(
  question: string,
  passages: readonly Passage[],
  unwritten: readonly UnwrittenWord[] = [],
): AnswerSentence[] {
  const ranking = rankSentences(question, passages);
  const best = beginningOf(ranking);
  if (best === undefined || !isAbout(ranking, unwritten)) return [];
  const named = [...termOf(ranking, best, true), ...termsTelling(ranking, best)];
  const first = [...new Set(named), best, ...goingOn(ranking, best)];
  const chosen = choose(ranking, best, first);
  const ordered = best.isDefinition
    ? [...first, ...inOrder(chosen).filter((one) => !first.includes(one))]
    : inOrder(chosen);
  const whole = withSteps(ranking, best, withHeadings(ranking, withReferences(ranking, ordered)));
  return withNeighbours(ranking, best, whole).map(({ text, passage }) => ({ text, citation: passage + 1 }));
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

function choose(ranking: Ranking, best: RankedSentence, first: readonly RankedSentence[]): RankedSentence[] {
  const { asked, coverage } = ranking;
  const sentences = standingWith(ranking, best);
  const ofKind = asked.kind === 'other' ? 0 : OF_KIND;
  const worth = sentences.map(({ level, isOfKind }) => level / best.level + (isOfKind ? ofKind : 0));
  const chosen = [...first];
  let matched = best.matched;
  let characters = first.reduce((sum, { text }) => sum + text.length, 0);
  // How alike each is to what is chosen; grows with every choice.
  const alike = sentences.map((sentence) => Math.max(...first.map((one) => likeness(sentence, one))));
  const most = MOST_SENTENCES + (first.length - 1);
  while (chosen.length < most) {
    const next = mostRelevant(sentences, worth, alike, (sentence, i) => {
      if (characters + sentence.text.length > MOST_CHOSEN) return false;
      const isNew = coverage(sentence.matched.difference(matched)) > 0;
      return worth[i]! >= (isNew ? LEAST_SCORE_OF_NEW : LEAST_SCORE);
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
  worth: readonly number[],
  alike: readonly number[],
  fits: (sentence: RankedSentence, i: number) => boolean,
): RankedSentence | undefined {
  let found: RankedSentence | undefined;
  let highest = 0;
  for (const [i, sentence] of sentences.entries()) {
    const gain = LAMBDA * worth[i]! - (1 - LAMBDA) * alike[i]!;
    const relevance = gain / (sentence.text.length + ANY_LENGTH) ** BY_LENGTH;
    if (alike[i]! > MOST_ALIKE || relevance <= highest || !fits(sentence, i)) continue;
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
