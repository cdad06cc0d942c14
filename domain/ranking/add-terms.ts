import {
  addTextScores,
  addTitleScores,
  type AddTermScores,
  type FeedbackTermWeight,
  type LengthNormalisation,
  type QueryTermWeight,
} from './bm25.ts';
import type { OpenScores } from './score-table.ts';
import { type SlottedPostings, addTo } from './segment-slots.ts';

/** Who shares a thread with a long sum has a turn now and then. The clock and the thread are those of the caller. */
export interface Turns {
  /** Begins to watch the time. What it answers is called between two steps: null to go on, or what to wait for. */
  readonly begin: () => () => Promise<void> | null;
  /** Acts once no answer waits for it. */
  readonly later: (act: () => void) => void;
}

/** Adds the scores of terms in texts, and marks the contents that have them. */
export const addTextTerms = async (
  { slots, accumulators }: OpenScores,
  sums: Float64Array,
  weights: readonly (QueryTermWeight | FeedbackTermWeight)[],
  lengths: LengthNormalisation,
  turns: Turns,
): Promise<void> => {
  const steps = weights.map(({ term, text }): TermStep => ({
    weight: text,
    postings: slots.postingsOf(term),
    add: addTextScores,
  }));
  for (const { postings } of steps) for (const of of postings) addTo(accumulators.matched, of);
  await addUp(sums, steps, lengths, turns);
};

/** Adds the scores of terms in titles. */
export const addTitleTerms = async (
  { slots }: OpenScores,
  sums: Float64Array,
  weights: readonly QueryTermWeight[],
  lengths: LengthNormalisation,
  turns: Turns,
): Promise<void> => {
  const steps = weights.map(({ term, title }): TermStep => ({
    weight: title,
    postings: slots.titlesOf(term),
    add: addTitleScores,
  }));
  await addUp(sums, steps, lengths, turns);
};

/** One term in titles or in texts, segment by segment. */
interface TermStep {
  readonly weight: number;
  readonly postings: readonly SlottedPostings[];
  readonly add: AddTermScores;
}

/** One term after the other. Others may have a turn between two segments. */
const addUp = async (
  sums: Float64Array,
  steps: readonly TermStep[],
  lengths: LengthNormalisation,
  turns: Turns,
): Promise<void> => {
  const turn = turns.begin();
  for (const { weight, postings, add } of steps) {
    for (const of of postings) {
      add(sums, of, weight, lengths);
      const pause = turn();
      if (pause !== null) await pause;
    }
  }
};
