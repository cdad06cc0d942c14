import { addUp, type Step } from './add-up.ts';
import { type BestHits, bestHits } from './best-hits.ts';
import { bestSlots } from './best-slots.ts';
import { countWithout, wordsFor } from './bit-set.ts';
import { type Bounds, markBarred, setAllBut } from './bounds.ts';
import { addTexts, addTitles, type FeedbackWeight, type LengthScale, type OwnWeight } from './impact.ts';
import type { Segment } from './postings.ts';
import { createRooms } from './rooms.ts';
import type { TermPostings } from './segment-slots.ts';
import { addTo, layOut, layOutDensely, type Slots } from './slots.ts';
import { type Pair, survey, type Work } from './standing.ts';

export interface ScoreRequest extends Bounds {
  readonly segments: readonly Segment[];
  readonly lengths: LengthScale;
  /** The query's own terms. */
  readonly weights: readonly OwnWeight[];
  /** Of these terms, in each of the segments. */
  readonly postings: readonly TermPostings[];
  /** What a point that a text has by the query's own terms counts in the score of the feedback. */
  readonly echo: number;
  /** Only these are answered in the end; null: all that are ranked. */
  readonly shown: Float64Array | null;
}

export interface Scored {
  readonly best: BestHits;
  /** How many have one of the terms and may be ranked. */
  readonly total: number;
}

/** The two passes of a search, in this order. */
export interface Passes {
  /** The best by the query's own terms in texts. */
  readonly nearest: (limit: number) => BestHits;
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
    weights: readonly FeedbackWeight[],
    postings: readonly TermPostings[],
    limit: number,
  ) => Promise<Scored>;
}

/** Adds up the query's own terms in texts. */
export type BeginScoring = (request: ScoreRequest) => Promise<Passes>;

/** Keeps what it works with from one search to the next. */
export const createScoring = (): BeginScoring => {
  const rooms = createRooms();
  const begin = async (slots: Slots, request: ScoreRequest): Promise<Work> => {
    const room = rooms.take(slots.count);
    markBarred(slots, room.barred, request);
    await addTerms({ slots, room }, room.base, request.weights, request.lengths);
    return { slots, room };
  };
  const end = ({ room, slots }: Work): void => {
    // Not while an answer waits for it.
    setImmediate(() => rooms.giveBack(room, slots.count));
  };
  return async (request) => {
    const { segments, weights: own, postings: ofOwn, lengths } = request;
    const first = await begin(layOut(segments, ofOwn, termsOf(own)), request);
    // Where the query's terms are so rare that not every content has a slot, the feedback's need slots of their own.
    const goesOn = first.slots.isDense;
    let widened: Promise<number> | null = null;
    return {
      nearest: (limit) => {
        const best = hitsOf(first, { base: survey(first, 'base'), feedback: 0 }, limit);
        if (!goesOn) end(first);
        return best;
      },
      prepare: async () => {
        if (goesOn) await (widened ??= widen(first, request));
      },
      best: async (weights, ofFeedback, limit) => {
        const all = goesOn
          ? first
          : await begin(
              layOut(segments, together(ofOwn, ofFeedback), termsOf([...own, ...weights])),
              request,
            );
        const base = await (widened ?? widen(all, request));
        const { room } = all;
        const slots = goesOn ? layOutDensely(segments, ofFeedback) : all.slots;
        await addTerms({ slots, room }, room.feedback, weights, lengths);
        const best = hitsOf(all, { base, feedback: survey(all, 'feedback') }, limit);
        const total = countWithout(room.met, room.barred, wordsFor(slots.count));
        end(all);
        return { best, total };
      },
    };
  };
};

const termsOf = (weights: readonly { readonly term: string }[]): readonly string[] =>
  weights.map(({ term }) => term);

const together = (some: readonly TermPostings[], others: readonly TermPostings[]): readonly TermPostings[] =>
  some.map((of, i) => ({ get: (term) => of.get(term) ?? others[i]?.get(term) }));

/** Adds what terms are worth in texts, and notes who has them. */
const addTerms = async (
  { slots, room }: Work,
  sums: Float64Array,
  weights: readonly (OwnWeight | FeedbackWeight)[],
  lengths: LengthScale,
): Promise<void> => {
  const steps = weights.map(({ term, text }): Step => ({
    weight: text,
    postings: slots.postingsOf(term),
    add: addTexts,
  }));
  for (const { postings } of steps) for (const of of postings) addTo(room.met, of);
  await addUp(sums, steps, lengths);
};

/** What both scores have by the query itself. Answers the highest of the first. */
const widen = async (work: Work, { weights, lengths, echo, shown }: ScoreRequest): Promise<number> => {
  const { slots, room } = work;
  const { base, feedback, hidden } = room;
  for (let slot = 0; slot < slots.count; slot++) feedback[slot] = (base[slot] as number) * echo;
  const titles = weights.map(({ term, title }): Step => ({
    weight: title,
    postings: slots.titlesOf(term),
    add: addTitles,
  }));
  await addUp(base, titles, lengths);
  if (shown !== null) setAllBut(slots, hidden, shown);
  return survey(work, 'base');
};

const hitsOf = ({ slots, room }: Work, most: Pair, limit: number): BestHits => {
  const { base, feedback } = room;
  const found = bestSlots({ slots, room, most }, limit);
  const perBase = most.base > 0 ? 0.5 / most.base : 0;
  const perFeedback = most.feedback > 0 ? 0.5 / most.feedback : 0;
  const nos = Float64Array.from(found, (slot) => slots.noOf(slot));
  const scores = Float64Array.from(
    found,
    (slot) => (base[slot] as number) * perBase + (feedback[slot] as number) * perFeedback,
  );
  return bestHits(nos, scores, limit);
};
