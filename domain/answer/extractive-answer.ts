import {
  MAX_CHARACTERS,
  accompanied,
  beginningOf,
  goingOn,
  standingWith,
  termOf,
  termsTelling,
  withNeighbours,
  withReferences,
} from './belonging.ts';
import { isAbout } from './is-about.ts';
import type { UnwrittenWord } from '../ranking/unwritten.ts';
import type { Passage } from './passage.ts';
import { rankSentences, type RankedSentence, type Ranking } from './rank-sentences.ts';

/** Pieces behind the best sentence that may be steps: with six, commands below were cut off; ten gave no more. */
const STEPS = 8;
/** Of a step, in characters: an example in code is longer than a sentence. */
const LONGEST = 600;

/**
 * These sentences, where it is asked how to do something, with what follows the best of them in its section, as the command
 * often stands in an example below. As long as there is room, so that none takes the place of a sentence.
 */
function withSteps(
  ranking: Ranking,
  best: RankedSentence,
  sentences: readonly RankedSentence[],
): readonly RankedSentence[] {
  const { texts, asked } = ranking;
  if (!asked.isHow) return sentences;
  const said = new Set(sentences);
  let room = MAX_CHARACTERS - sentences.reduce((sum, { text }) => sum + text.length, 0);
  const fits = (one: RankedSentence): boolean => {
    const more = said.has(one) ? 0 : one.text.length;
    if (more > room) return false;
    room -= more;
    return true;
  };
  const section = texts[best.passage]!.filter((one) => one.section === best.section);
  const behind = section.filter(({ place }) => place > best.place).slice(0, STEPS);
  const end = behind.findIndex((one) => one.text.length > LONGEST || !fits(one));
  const steps = end === -1 ? behind : behind.slice(0, end);
  const others = sentences.filter((one) => !steps.includes(one));
  return others.flatMap((one) => (one === best ? [one, ...steps] : [one]));
}

/** What a part of any page may be called, in English, with its number and words such as "an" or "further" before. */
const PART =
  /^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:an?|the|some|more|further|general|short|brief|simple|basic|other) )*(?:about|abstract|advanced|background|basics|caveats|conclusions?|consequences|considerations|considered|contents|context|decisions?|definitions?|description|details|discussion|examples?|explanation|faq|features|general|goals?|how it works|implementation|information|introduction|motivation|notes?|options|outline|overview|parameters|preface|problem|procedure|prologue|purpose|rationale|reference|remarks|requirements|results?|see also|solution|status|steps|summary|synopsis|syntax|tips|topics|usage|use|warnings?|what this (?:is|does))(?: (?:and|or|&) \w+)?\W*$/iu;

/** Words of prose: names of code are the same wherever they are explained. */
const WORDS = /^\p{Lu}?[\p{Ll}\s]+$/u;

/**
 * Whether a heading says nothing of what stands under it, such as "Decision" or "An example": it is called as a part of
 * any page may be, or other passages have it too and the question has none of its terms.
 */
const saysNothing = ({ asked, texts }: Ranking, heading: RankedSentence): boolean =>
  PART.test(heading.text) ||
  (WORDS.test(heading.text) &&
    heading.terms().isDisjointFrom(asked.terms) &&
    texts.some(
      (of, passage) =>
        passage !== heading.passage &&
        of.some(({ isStatement, text }) => !isStatement && text === heading.text),
    ));

/** Above one section: several are the names of one option. Longer ones are no names. */
const HEADINGS = 3;
const MAX_HEADING = 100;

/**
 * The headings or terms right above the section that a sentence stands in, where they say something: often the name of what is
 * asked for stands there alone, above what it does. None above what defines the subject, as the question names it, and no
 * question, which is the one that was asked.
 */
function headingsOf(
  ranking: Ranking,
  { passage, place, section, defines, isStatement }: RankedSentence,
): readonly RankedSentence[] {
  if (defines) return [];
  const above = ranking.texts[passage]!.filter((one) => one.section === section && one.place < place);
  const end = above.findIndex((one) => one.isStatement);
  if (end === -1 && !isStatement) return [];
  return (end === -1 ? above : above.slice(0, end))
    .filter((one) => isHeading(one) && !saysNothing(ranking, one))
    .slice(0, HEADINGS);
}

/** A question above an answer is the one that was asked; a label and a row of a table are no headings. */
const isHeading = ({ text, isStatement }: RankedSentence): boolean =>
  !isStatement && text.length <= MAX_HEADING && !/[:?？؟]$| \| /u.test(text);

/**
 * These sentences with the headings that they stand under and the names that they describe, each before the first that does,
 * as long as there is room.
 */
const withHeadings = (ranking: Ranking, sentences: readonly RankedSentence[]): readonly RankedSentence[] =>
  accompanied(sentences, (sentence) => {
    const names = termOf(ranking, sentence);
    return [names.length > 0 ? names : headingsOf(ranking, sentence), []];
  });

/** A sentence of an answer and the number of the passage that it stands in, from 1. */
export type AnswerSentence = { readonly text: string; readonly citation: number };

/** The whole answer where the passages hold none. */
export const NO_ANSWER = 'The indexed content does not answer this question.';

/** Of what is chosen; what comes along with it is more. */
const MAX_SENTENCES = 8;
const MAX_CHOSEN = 900;
/** Of the best score: for a sentence that adds nothing new of the question, and for one that does. */
const MIN_SCORE = 0.4;
const MIN_SCORE_OF_NEW = 0.3;
/** Weight of the score against that of being unlike what is chosen already. */
const LAMBDA = 0.7;
/** Sentences more alike than this say the same. */
const MAX_ALIKE = 0.7;
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
  const most = MAX_SENTENCES + (first.length - 1);
  while (chosen.length < most) {
    const next = maxRelevant(sentences, worth, alike, (sentence, i) => {
      if (characters + sentence.text.length > MAX_CHOSEN) return false;
      const isNew = coverage(sentence.matched.difference(matched)) > 0;
      return worth[i]! >= (isNew ? MIN_SCORE_OF_NEW : MIN_SCORE);
    });
    if (next === undefined) break;
    chosen.push(next);
    matched = matched.union(next.matched);
    characters += next.text.length;
    for (const [i, sentence] of sentences.entries()) alike[i] = Math.max(alike[i]!, likeness(sentence, next));
  }
  return chosen;
}

function maxRelevant(
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
    if (alike[i]! > MAX_ALIKE || relevance <= highest || !fits(sentence, i)) continue;
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
