import { markAllBut, markExcluded } from './accumulators.ts';
import type { Turns } from './add-terms.ts';
import { countWithout } from './bit-set.ts';
import { BY_FEEDBACK, BY_TEXTS, BY_TITLES, type BlockScoring, type Stage } from './block-scores.ts';
import {
  type BlockTerm,
  addBounds,
  blockTerm,
  bySegment,
  createBlockWorkPool,
  forEachIn,
  highestBound,
  rankedIn,
  weigh,
} from './block-terms.ts';
import { type Visit, visitBlocks } from './block-visit.ts';
import type { Field } from './bm25.ts';
import type { ScorePair } from './score-table.ts';
import { addTo } from './segment-slots.ts';
import type { OpenSums } from './sums.ts';
import { createTopScores, inverse, MARGIN } from './top-k.ts';
import { topOf } from './top-of-scores.ts';

/** Sums may exceed bounds by their rounding. */
const ROUNDING = 1e-9;

/**
 * Scores only blocks of contents that may hold one of the best: the most that each term adds in each block is known, and
 * blocks are scored from the highest sum of these on, until no other can hold a better one (Ding and Suel, "Faster top-k
 * document retrieval using block-max indexes", 2011; with blocks of equal ranges as in Mallia, Suel and Tonellotto, "Faster
 * learned sparse retrieval with block-max pruning", 2024). What is answered is the same as by `createFullSums`, to the last
 * digit. All that match are counted from sets. For layouts that have a slot for each number.
 */
export const createBlockSums = (turns: Turns): OpenSums => {
  const pool = createBlockWorkPool();
  const inTurn = async (steps: Iterable<void>): Promise<void> => {
    const turn = turns.begin();
    for (const _ of steps) {
      const pause = turn();
      if (pause !== null) await pause;
    }
  };
  return async (slots, { segments, weights, postings, lengths, feedbackWeight, shown, ...bounded }) => {
    const work = pool.acquire(slots.count);
    const { bounds, blocks, excluded, hidden, matched } = work;
    const count = slots.count / 32;
    const starts = segments.map(({ firstNo }) => slots.slotOf(firstNo) ?? 0);
    const inTexts = (of: readonly { term: string; text: number }[], from: typeof postings) =>
      of.map(({ term, text }) => blockTerm(term, text, 'text', lengths, starts, from));
    const texts = inTexts(weights, postings);
    const titles = weights.map(({ term, title }) =>
      blockTerm(term, title, 'title', lengths, starts, postings),
    );
    let scoring: BlockScoring = {
      work,
      starts,
      lengths,
      feedbackWeight,
      met: [],
      texts: bySegment(texts, starts.length),
      titles: bySegment(titles, starts.length),
      feedback: [],
    };
    const mark = (terms: BlockScoring['texts']): void => {
      for (const of of terms.flat()) addTo(matched, of);
    };
    const raise = function* (sums: Float64Array, terms: readonly BlockTerm[], field: Field): Generator<void> {
      for (const term of terms) yield addBounds(sums, term, field, lengths);
    };
    let visits = 0;
    const visit = (of: Omit<Visit, 'nth'>): Iterable<void> =>
      visitBlocks(scoring, count, { ...of, nth: (visits += 1) });
    /** The highest score of one kind. */
    const highestOf = async (kind: keyof ScorePair, stage: Stage): Promise<number> => {
      let highest = 0;
      const see = (block: number): void => {
        highest = Math.max(highest, blocks[kind][block] as number);
      };
      const least = (): number => highest * (1 - ROUNDING);
      await inTurn(visit({ bounds: bounds[kind], stage, least, see }));
      return highest;
    };
    /** @param least as many have it by now as are wanted */
    const best = (stage: Stage, highest: ScorePair, limit: number, least: number) => {
      const only = scoring.met
        .filter((block) => (work.stages[block] as number) >= stage)
        .toSorted((a, b) => a - b);
      return topOf({ slots, accumulators: work, only }, highest, limit, least);
    };

    markExcluded(slots, excluded, bounded);
    mark(scoring.texts);
    await inTurn(raise(bounds.text, texts, 'text'));
    let widened: Promise<number> | null = null;
    const widen = async (): Promise<number> => {
      if (shown !== null) markAllBut(slots, hidden, shown);
      bounds.base.set(bounds.text);
      await inTurn(raise(bounds.base, titles, 'title'));
      return highestOf('base', BY_TITLES);
    };
    const widenOnce = (): Promise<number> => (widened ??= widen());
    return {
      slots,
      nearest: (limit) => {
        const top = createTopScores(limit);
        let highest = 0;
        const most = highestBound(bounds.text, count);
        const reaches = (): number => top.least() - (MARGIN + ROUNDING) * most;
        const see = (block: number): void => {
          highest = Math.max(highest, blocks.base[block] as number);
          forEachIn(block, rankedIn(work, block), (slot) => top.offer(work.base[slot] as number));
        };
        for (const _ of visit({ bounds: bounds.text, stage: BY_TEXTS, least: reaches, see }));
        const least = highest > 0 ? top.least() * inverse(highest) : Number.NEGATIVE_INFINITY;
        return best(BY_TEXTS, { base: highest, feedback: 0 }, limit, least);
      },
      widen: async () => void (await widenOnce()),
      best: async (fed, ofFed, limit) => {
        const base = await widenOnce();
        const terms = inTexts(fed, ofFed);
        scoring = { ...scoring, feedback: bySegment(terms, starts.length) };
        mark(scoring.feedback);
        weigh(bounds.feedback, count, bounds.text, feedbackWeight);
        await inTurn(raise(bounds.feedback, terms, 'text'));
        const feedback = await highestOf('feedback', BY_FEEDBACK);
        const [perBase, perFeedback] = [inverse(base), inverse(feedback)];
        weigh(bounds.place, count, bounds.base, perBase, bounds.feedback, perFeedback);
        const top = createTopScores(limit);
        const least = (): number => top.least() - MARGIN - ROUNDING;
        const see = (block: number): void => {
          const last = block * 32 + 31;
          let left = rankedIn(work, block) & ~(hidden[block] as number);
          for (; left !== 0; left &= left - 1) {
            const slot = last - Math.clz32(left & -left);
            top.offer((work.base[slot] as number) * perBase + (work.feedback[slot] as number) * perFeedback);
          }
        };
        await inTurn(visit({ bounds: bounds.place, stage: BY_FEEDBACK, least, see }));
        const found = best(BY_FEEDBACK, { base, feedback }, limit, top.least());
        return { top: found, total: countWithout(matched, excluded, count) };
      },
      end: () => turns.later(() => pool.release(work, slots.count)),
    };
  };
};
