import { createBestScores } from './best-scores.ts';
import { hasBit } from './bit-set.ts';
import { forEachRanked, type Pair, type Standing, survey } from './standing.ts';

/** Scores are rounded to a billionth in the end; what is so close to the last place is kept. */
const MARGIN = 1e-6;

/** What one that comes to the highest scores has for each point of them. */
const relativeTo = ({ base, feedback }: Pair): Pair => ({ base: inverse(base), feedback: inverse(feedback) });

/** The highest scores, and the slots of the `limit` best by them, more where the last are close to each other. */
export const findBest = (
  standing: Standing,
  limit: number,
): { readonly most: Pair; readonly slots: Uint32Array } => {
  const most = survey(standing);
  const per = relativeTo(most);
  const place = leastOfBest(standing, per, limit) - MARGIN;
  const never = Number.POSITIVE_INFINITY;
  return { most, slots: slotsFrom(standing, per, { place, base: never, feedback: never }, never) };
};

/**
 * The slots of the contents that may be among the `limit` best, or have the highest of either score, when none can gain
 * more than `rest`, ascending. Null when one that has not been met yet may, or when they are more than `atMost`.
 *
 * A content's place is by the sum of its two scores, each divided by the highest of its kind in the end. What it has
 * now by the highest that can be in the end is the least that it may come to; what it can have by the highest now is
 * the most. Who cannot come to what `limit` others have for sure is out. This is MaxScore (Turtle and Flood, "Query
 * evaluation: strategies and optimizations", 1995), term by term, for the sum of two relative scores.
 */
export const findContenders = (
  standing: Standing,
  rest: Pair,
  limit: number,
  atMost: number,
): Uint32Array | null => {
  const most = survey(standing);
  const inTheEnd = { base: most.base + rest.base, feedback: most.feedback + rest.feedback };
  const least = leastOfBest(standing, relativeTo(inTheEnd), limit) - MARGIN;
  const now = relativeTo(most);
  const gain = rest.base * now.base + rest.feedback * now.feedback;
  if (gain >= least || comesTo(rest.base, most.base) || comesTo(rest.feedback, most.feedback)) return null;
  const leading = (kind: keyof Pair): number =>
    most[kind] > 0 ? most[kind] - rest[kind] : Number.POSITIVE_INFINITY;
  const bounds = { place: least - gain, base: leading('base'), feedback: leading('feedback') };
  const slots = slotsFrom(standing, now, bounds, atMost);
  return slots.length > atMost ? null : slots;
};

const inverse = (most: number): number => (most > 0 ? 1 / most : 0);

const comesTo = (rest: number, most: number): boolean => rest > 0 && rest >= most;

const leastOfBest = (standing: Standing, per: Pair, limit: number): number => {
  const { base, feedback, hidden } = standing.room;
  const best = createBestScores(limit);
  let least = best.least();
  const offer = (slot: number): void => {
    const place = (base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback;
    if (place <= least || hasBit(hidden, slot)) return;
    best.offer(place);
    least = best.least();
  };
  forEachRanked(
    standing,
    (highest) => highest.base * per.base + highest.feedback * per.feedback > least,
    offer,
  );
  return least;
};

/** Those that come to this place and are to be answered, and those that come to one of these scores. */
const slotsFrom = (
  standing: Standing,
  per: Pair,
  least: Pair & { readonly place: number },
  atMost: number,
): Uint32Array => {
  const { base, feedback, hidden } = standing.room;
  const found: number[] = [];
  const isIn = (ofBase: number, ofFeedback: number, isHidden: boolean): boolean =>
    ofBase >= least.base ||
    ofFeedback >= least.feedback ||
    (ofBase * per.base + ofFeedback * per.feedback >= least.place && !isHidden);
  forEachRanked(
    standing,
    (highest) => found.length <= atMost && isIn(highest.base, highest.feedback, false),
    (slot) => {
      if (isIn(base[slot] as number, feedback[slot] as number, hasBit(hidden, slot))) found.push(slot);
    },
  );
  return Uint32Array.from(found);
};
