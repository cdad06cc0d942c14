import { setImmediate as nextTurn } from 'node:timers/promises';
import { findContenders } from './contenders.ts';
import type { Pair, Standing } from './standing.ts';
import {
  type AddImpacts,
  addTexts,
  addTitles,
  type LengthScale,
  postingsAmong,
  type SlottedPostings,
  type TermWeight,
} from './impact.ts';
import type { Room } from './rooms.ts';
import { addTo, type Slots } from './slots.ts';

/** How long the event loop is kept at most, about. */
const TURN_MS = 5;

/** One term in titles or in texts, and the most that a content can gain by it. */
interface Step {
  readonly weight: TermWeight;
  readonly postings: readonly SlottedPostings[];
  readonly occurrences: number;
  readonly add: AddImpacts;
  readonly gain: Pair;
}

/** Titles before texts: there are few, and they can gain much. */
const stepsOf = (slots: Slots, weights: readonly TermWeight[]): readonly Step[] => {
  const step = (
    weight: TermWeight,
    postings: readonly SlottedPostings[],
    add: AddImpacts,
    gain: Pair,
  ): Step => ({
    weight,
    postings,
    occurrences: postings.reduce((sum, of) => sum + of.slots.length, 0),
    add,
    gain,
  });
  return [
    ...weights
      .filter(({ title }) => title > 0)
      .map((of) => step(of, slots.titlesOf(of.term), addTitles, { base: of.title, feedback: 0 })),
    ...weights.map((of) => step(of, slots.postingsOf(of.term), addTexts, of)),
  ];
};

/**
 * Adds up what the terms are worth, one after the other, until all are done; once it is clear that no other content can
 * be among the `limit` best, only for those that can. The event loop turns after every 5 ms, between two segments.
 */
export const addUp = async (
  slots: Slots,
  room: Room,
  {
    weights,
    lengths,
    limit,
  }: {
    readonly weights: readonly TermWeight[];
    readonly lengths: LengthScale;
    readonly limit: number;
  },
): Promise<Standing> => {
  const { count } = slots;
  const steps = stepsOf(slots, weights);
  const hasFeedback = weights.some(({ feedback }) => feedback > 0);
  let standing: Standing = { room, count, hasFeedback, contenders: null };
  let [sinceLooked, since] = [count, performance.now()];
  for (const [i, { weight, postings, occurrences, add }] of steps.entries()) {
    if (i > 0 && isWorthLooking(standing, occurrences, sinceLooked)) {
      const left = steps.slice(i);
      const worth = left.reduce((sum, step) => sum + step.occurrences, 0) / LOOKED_UP;
      const found = findContenders(standing, gainBy(left), limit, worth);
      if (found !== null) standing = { ...standing, contenders: found };
      sinceLooked = 0;
    }
    sinceLooked += occurrences;
    const { contenders } = standing;
    for (const of of postings) {
      addTo(room.met, of);
      add(room, contenders === null ? of : postingsAmong(contenders, of), weight, lengths);
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  return standing;
};

/** To look up one content among the postings costs as much as to add up so many of them. */
const LOOKED_UP = 20;

/** Looking costs about what it costs to add up half as many postings as there are slots, or as there are contenders. */
const isWorthLooking = ({ count, contenders }: Standing, occurrences: number, sinceLooked: number): boolean =>
  contenders === null
    ? occurrences * 10 >= count && sinceLooked * 2 >= count
    : occurrences > contenders.length * LOOKED_UP;

const gainBy = (steps: readonly Step[]): Pair => ({
  base: steps.reduce((sum, { gain }) => sum + gain.base, 0),
  feedback: steps.reduce((sum, { gain }) => sum + gain.feedback, 0),
});
