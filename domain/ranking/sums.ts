import type { CandidateBounds } from './accumulators.ts';
import type { FeedbackTermWeight, LengthNormalisation, QueryTermWeight } from './bm25.ts';
import type { Segment } from './postings.ts';
import type { SlotLayout, TermPostings } from './segment-slots.ts';
import type { TopHits } from './top-k.ts';

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

/** The scores of one search in a layout of slots, which are added up in this order. */
export interface Sums {
  readonly slots: SlotLayout;
  /** The best by the query's own terms in texts. */
  readonly nearest: (limit: number) => TopHits;
  /** Adds what both scores have by the query itself, once. */
  readonly widen: () => Promise<void>;
  /** The best by both scores. The last to be called. @param postings of the feedback's terms, in each of the segments */
  readonly best: (
    weights: readonly FeedbackTermWeight[],
    postings: readonly TermPostings[],
    limit: number,
  ) => Promise<Scored>;
  /** Gives back what was worked in. */
  readonly end: () => void;
}

/** Begins with the query's own terms in texts. */
export type OpenSums = (slots: SlotLayout, request: ScoreRequest) => Promise<Sums>;
