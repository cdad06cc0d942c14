import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AddImpacts, LengthScale, SlottedPostings } from './impact.ts';

/** How long the event loop is kept at most, about. */
const TURN_MS = 5;

/** One term in titles or in texts, segment by segment. */
export interface Step {
  readonly weight: number;
  readonly postings: readonly SlottedPostings[];
  readonly add: AddImpacts;
}

/** Adds up what the terms are worth, one after the other. The event loop turns after every 5 ms, between two segments. */
export const addUp = async (
  sums: Float64Array,
  steps: readonly Step[],
  lengths: LengthScale,
): Promise<void> => {
  let since = performance.now();
  for (const { weight, postings, add } of steps) {
    for (const of of postings) {
      add(sums, of, weight, lengths);
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
};
