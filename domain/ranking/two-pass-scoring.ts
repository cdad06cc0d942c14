import { type Turns, addTextTerms, addTitleTerms } from './add-terms.ts';
import { createBlockSums } from './block-sums.ts';
import type { FeedbackTermWeight } from './bm25.ts';
import { type SlotLayout, type TermPostings, denseLayout, slotLayout } from './segment-slots.ts';
import type { OpenSums, Scored, ScoreRequest } from './sums.ts';
import type { TopHits } from './top-k.ts';
import { createAccumulatorPool, markAllBut, markExcluded } from './accumulators.ts';
import { countWithout, wordsFor } from './bit-set.ts';
import { carryOver, findHigher, findHighest, type OpenScores } from './score-table.ts';
import { topOf } from './top-of-scores.ts';

/** Scores every content that has one of the terms. Keeps its accumulators from one search to the next. */
const createFullSums = (turns: Turns): OpenSums => {
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

/** The two passes of a search, in this order. */
export interface Passes {
  /** The best by the query's own terms in texts. */
  readonly nearest: (limit: number) => TopHits;
  /** Does of the second pass what the feedback does not change: to be called while that is weighed. */
  readonly prepare: () => Promise<void>;
  /**
   * The best by two scores, each divided by its greatest value so that they weigh the same: by the query in texts and
   * titles, and by what the feedback adds to the query in texts. Equal contents get equal sums, whatever segment they
   * are in: terms are added in one order. The last to be called.
   *
   * @param postings of the feedback's terms, in each of the segments
   */
  readonly best: (
    weights: readonly FeedbackTermWeight[],
    postings: readonly TermPostings[],
    limit: number,
  ) => Promise<Scored>;
}

/** Adds up the query's own terms in texts. */
export type BeginScoring = (request: ScoreRequest) => Promise<Passes>;

/** Slots up to which it is quicker to score all than to look for those that can be among the best. */
const FEW = 16_384;
/** Slots for each posting of the query up to which blocks are looked at one by one. */
const BLOCKS_BY_POSTING = 512;

/** Keeps what it works in from one search to the next. @param few slots up to which all contents are scored */
export const createTwoPassScoring = (turns: Turns, few = FEW): BeginScoring => {
  const [all, blocks] = [createFullSums(turns), createBlockSums(turns)];
  const open: OpenSums = (slots, request) =>
    (slots.isDense && slots.count > few ? blocks : all)(slots, request);
  return async (request) => {
    const { segments, weights: own, postings: ofOwn } = request;
    const first = await open(layoutOf(segments, ofOwn, termsOf(own), few), request);
    // Where the query's terms are so rare that not every content has a slot, the feedback's need slots of their own.
    const goesOn = first.slots.isDense;
    return {
      nearest: (limit) => {
        const top = first.nearest(limit);
        if (!goesOn) first.end();
        return top;
      },
      prepare: async () => {
        if (goesOn) await first.widen();
      },
      best: async (weights, ofFeedback, limit) => {
        const postings = together(ofOwn, ofFeedback);
        const terms = termsOf([...own, ...weights]);
        const sums = goesOn
          ? first
          : await open(layoutOf(segments, postings, terms, few), { ...request, postings });
        const scored = await sums.best(weights, ofFeedback, limit);
        sums.end();
        return scored;
      },
    };
  };
};

/** Blocks take little work for each slot: they are worth it where there are fewer postings than a search of all is. */
const layoutOf = (
  segments: ScoreRequest['segments'],
  postings: readonly TermPostings[],
  terms: readonly string[],
  few: number,
): SlotLayout => {
  const slots = segments.reduce((sum, { firstNo, lastNo }) => sum + lastNo - firstNo + 1, 0);
  if (slots <= few) return slotLayout(segments, postings, terms);
  let occurrences = 0;
  for (const of of postings) for (const term of terms) occurrences += of.get(term)?.offsets.length ?? 0;
  return slots <= occurrences * BLOCKS_BY_POSTING
    ? denseLayout(segments, postings)
    : slotLayout(segments, postings, terms);
};

const termsOf = (weights: readonly { readonly term: string }[]): readonly string[] =>
  weights.map(({ term }) => term);

const together = (some: readonly TermPostings[], others: readonly TermPostings[]): readonly TermPostings[] =>
  some.map((of, i) => ({ get: (term) => of.get(term) ?? others[i]?.get(term) }));
