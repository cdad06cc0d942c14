import { createAccumulatorPool, markAllBut, markExcluded } from './accumulators.ts';
import { addTextTerms, addTitleTerms, type Turns } from './add-terms.ts';
import { countWithout, wordsFor } from './bit-set.ts';
import { carryOver, findHigher, findHighest, type OpenScores } from './score-table.ts';
import { denseLayout } from './slot-layout.ts';
import type { OpenSums, ScoreRequest } from './sums.ts';
import { topOf } from './top-of-scores.ts';

/** Scores every content that has one of the terms. Keeps its accumulators from one search to the next. */
export const createFullSums = (turns: Turns): OpenSums => {
  const pool = createAccumulatorPool();
  return async (slots, request) => {
    const { segments, weights: own, lengths } = request;
    const accumulators = pool.acquire(slots.count);
    const open: OpenScores = { slots, accumulators };
    markExcluded(slots, accumulators.excluded, request);
    await addTextTerms(open, accumulators.base, own, lengths, turns);
    const highest = findHighest(open, 'base');
    let widened: Promise<number> | null = null;
    const widenOnce = (): Promise<number> => (widened ??= widen(open, highest, request, turns));
    return {
      slots,
      nearest: (limit) => topOf(open, { base: highest, feedback: 0 }, limit),
      widen: async () => void (await widenOnce()),
      best: async (weights, postings, limit) => {
        const base = await widenOnce();
        const { feedback, matched, excluded } = accumulators;
        const layout = slots.isDense ? denseLayout(segments, postings) : slots;
        await addTextTerms({ slots: layout, accumulators }, feedback, weights, lengths, turns);
        const top = topOf(open, { base, feedback: findHighest(open, 'feedback') }, limit);
        return { top, total: countWithout(matched, excluded, wordsFor(slots.count)) };
      },
      end: () => turns.later(() => pool.release(accumulators, slots.count)),
    };
  };
};

/** What both scores have by the query itself. Answers the highest of the first, which so far is in texts alone. */
const widen = async (
  open: OpenScores,
  highestInTexts: number,
  { weights, lengths, feedbackWeight, shown }: ScoreRequest,
  turns: Turns,
): Promise<number> => {
  const { slots, accumulators } = open;
  const { base, hidden } = accumulators;
  carryOver(open, feedbackWeight);
  await addTitleTerms(open, base, weights, lengths, turns);
  if (shown !== null) markAllBut(slots, hidden, shown);
  // No weight is negative: nothing has less than before.
  let highest = highestInTexts;
  for (const { term } of weights)
    for (const of of slots.titlesOf(term)) highest = findHigher(open, highest, of);
  return highest;
};
