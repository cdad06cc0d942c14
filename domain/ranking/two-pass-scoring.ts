import { type CandidateBounds, createAccumulatorPool, markAllBut, markExcluded } from './accumulators.ts';
import { addTextTerms, addTitleTerms, type Turns } from './add-terms.ts';
import { countWithout, wordsFor } from './bit-set.ts';
import type { FeedbackTermWeight, LengthNormalisation, QueryTermWeight } from './bm25.ts';
import type { Segment } from './postings.ts';
import { carryOver, findHigher, findHighest, type OpenScores, type ScorePair } from './score-table.ts';
import type { TermPostings } from './segment-slots.ts';
import { denseLayout, type SlotLayout, slotLayout } from './slot-layout.ts';
import { type TopHits, topHits, topSlots } from './top-k.ts';

export interface ScoreRequest extends CandidateBounds {
  readonly segments: readonly Segment[];
  readonly lengths: LengthNormalisation;
  /** The query's own terms. */
  readonly weights: readonly QueryTermWeight[];
  /** Of these terms, in each of the segments. */
  readonly postings: readonly TermPostings[];
  /** What a point that a text has by the query's own terms counts in the score of the feedback. */
  readonly feedbackWeight: number;
  /** Only these are answered in the end; null: all that are ranked. */
  readonly shown: Float64Array | null;
}

export interface Scored {
  readonly top: TopHits;
  /** How many have one of the terms and may be ranked. */
  readonly total: number;
}

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

/** Keeps its accumulators from one search to the next. */
export const createTwoPassScoring = (turns: Turns): BeginScoring => {
  const pool = createAccumulatorPool();
  const begin = async (slots: SlotLayout, request: ScoreRequest): Promise<OpenScores> => {
    const accumulators = pool.acquire(slots.count);
    const open = { slots, accumulators };
    markExcluded(slots, accumulators.excluded, request);
    await addTextTerms(open, accumulators.base, request.weights, request.lengths, turns);
    return open;
  };
  const end = ({ accumulators, slots }: OpenScores): void =>
    turns.later(() => pool.release(accumulators, slots.count));
  return async (request) => {
    const { segments, weights: own, postings: ofOwn, lengths } = request;
    const first = await begin(slotLayout(segments, ofOwn, termsOf(own)), request);
    const highest = findHighest(first, 'base');
    // Where the query's terms are so rare that not every content has a slot, the feedback's need slots of their own.
    const goesOn = first.slots.isDense;
    let widened: Promise<number> | null = null;
    return {
      nearest: (limit) => {
        const top = topOf(first, { base: highest, feedback: 0 }, limit);
        if (!goesOn) end(first);
        return top;
      },
      prepare: async () => {
        if (goesOn) await (widened ??= widen(first, highest, request, turns));
      },
      best: async (weights, ofFeedback, limit) => {
        const all = goesOn
          ? first
          : await begin(
              slotLayout(segments, together(ofOwn, ofFeedback), termsOf([...own, ...weights])),
              request,
            );
        const base = await (widened ??
          widen(all, goesOn ? highest : findHighest(all, 'base'), request, turns));
        const { accumulators } = all;
        const slots = goesOn ? denseLayout(segments, ofFeedback) : all.slots;
        await addTextTerms({ slots, accumulators }, accumulators.feedback, weights, lengths, turns);
        const top = topOf(all, { base, feedback: findHighest(all, 'feedback') }, limit);
        const total = countWithout(accumulators.matched, accumulators.excluded, wordsFor(slots.count));
        end(all);
        return { top, total };
      },
    };
  };
};

const termsOf = (weights: readonly { readonly term: string }[]): readonly string[] =>
  weights.map(({ term }) => term);

const together = (some: readonly TermPostings[], others: readonly TermPostings[]): readonly TermPostings[] =>
  some.map((of, i) => ({ get: (term) => of.get(term) ?? others[i]?.get(term) }));

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

const topOf = (open: OpenScores, highest: ScorePair, limit: number): TopHits => {
  const { base, feedback } = open.accumulators;
  const found = topSlots({ ...open, highest }, limit);
  const perBase = highest.base > 0 ? 0.5 / highest.base : 0;
  const perFeedback = highest.feedback > 0 ? 0.5 / highest.feedback : 0;
  const nos = Float64Array.from(found, (slot) => open.slots.noOf(slot));
  const scores = Float64Array.from(
    found,
    (slot) => (base[slot] as number) * perBase + (feedback[slot] as number) * perFeedback,
  );
  return topHits(nos, scores, limit);
};
