import { addUp } from './add-up.ts';
import { type BestHits, bestHits } from './best-hits.ts';
import { type BitSet, clearBit, countWithout, setBit, wordsFor } from './bit-set.ts';
import { findBest } from './contenders.ts';
import type { Standing } from './standing.ts';
import type { LengthScale, TermWeight } from './impact.ts';
import type { Segment } from './postings.ts';
import type { SegmentPostings } from './read-postings.ts';
import { createRooms, type Room } from './rooms.ts';
import { layOut, type Slots } from './slots.ts';

export interface ScoreRequest {
  readonly segments: readonly Segment[];
  /** Of each of the segments. */
  readonly postings: readonly SegmentPostings[];
  /** In the order in which they are added up: the rarest first saves the most. */
  readonly weights: readonly TermWeight[];
  readonly lengths: LengthScale;
  /** Numbers of contents: only these are ranked; null: all but the dead. */
  readonly allowed: Float64Array | null;
  readonly dead: Float64Array;
  /** Only these are answered; null: all that are ranked. */
  readonly shown: Float64Array | null;
  readonly limit: number;
}

export interface Scored {
  readonly best: BestHits;
  /** How many have one of the terms and may be ranked. */
  readonly total: number;
}

/**
 * The best contents by two scores, each divided by its greatest value so that they weigh the same. Equal contents get
 * equal sums, whatever segment they are in: terms are added in one order.
 */
export type ScoreContents = (request: ScoreRequest) => Promise<Scored>;

/** Keeps what it works with from one search to the next. */
export const createScoring = (): ScoreContents => {
  const rooms = createRooms();
  return async (request) => {
    const terms = request.weights.map(({ term }) => term);
    const slots = layOut(request.segments, request.postings, terms);
    const room = rooms.take(slots.count);
    markBounds(slots, room, request);
    const standing = await addUp(slots, room, request);
    const best = bestOf(slots, standing, request.limit);
    const total = countWithout(room.met, room.barred, wordsFor(slots.count));
    rooms.giveBack(room, slots.count);
    return { best, total };
  };
};

const markBounds = (slots: Slots, room: Room, { allowed, dead, shown }: ScoreRequest): void => {
  const change = (numbers: Float64Array, set: BitSet, by: (set: BitSet, at: number) => void): void => {
    for (const no of numbers) {
      const slot = slots.slotOf(no);
      if (slot !== null) by(set, slot);
    }
  };
  const allBut = (numbers: Float64Array, set: BitSet): void => {
    set.fill(0xffffffff, 0, wordsFor(slots.count));
    change(numbers, set, clearBit);
  };
  if (shown !== null) allBut(shown, room.hidden);
  if (allowed !== null) allBut(allowed, room.barred);
  else change(dead, room.barred, setBit);
};

const bestOf = (slots: Slots, standing: Standing, limit: number): BestHits => {
  const { slots: found, most } = findBest(standing, limit);
  const { base, feedback } = standing.room;
  const perBase = most.base > 0 ? 0.5 / most.base : 0;
  const perFeedback = most.feedback > 0 ? 0.5 / most.feedback : 0;
  const nos = Float64Array.from(found, (slot) => slots.noOf(slot));
  const scores = Float64Array.from(
    found,
    (slot) => (base[slot] as number) * perBase + (feedback[slot] as number) * perFeedback,
  );
  return bestHits(nos, scores, limit);
};
