import type { Sql } from '../database-schema.ts';
import { vectorsOf } from './candidates.ts';
import { type QuantisedVector, type VectorSlabs, createSlabs } from './vector-cache.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface ScoringOf {
  readonly trx: Sql;
  readonly model: number;
  /** Key of the slabs. */
  readonly key: string;
  readonly slabs: VectorSlabs;
  readonly query: QuantisedVector;
  /** Whether to cache the vectors that are read. */
  readonly keeps: boolean;
}

/** Vectors per read, and scores that are computed before yielding to the event loop. */
const PAGE = 2_000;
const SCORES_PER_TURN = 2_048;

/**
 * Scores contents, in their order; NaN for those without a vector. Uncached vectors are read page by page. If
 * several searches miss a whole tenant, as after a start, they read it one after the other: all but the first
 * then find it cached.
 */
export const createScoring = (recheckMissingMs: number) => {
  const reading = new Map<string, Promise<unknown>>();
  const inTurn = async (key: string, read: () => Promise<void>): Promise<void> => {
    const mine = (reading.get(key) ?? Promise.resolve()).catch(() => {}).then(read);
    reading.set(key, mine);
    try {
      await mine;
    } finally {
      if (reading.get(key) === mine) reading.delete(key);
    }
  };
  return (of: ScoringOf) =>
    async (numbers: Float64Array): Promise<Float64Array> => {
      const scores = new Float64Array(numbers.length).fill(NaN);
      let unknown = await scoreKnown(of, numbers, scores, numbers.keys());
      if (unknown.length <= PAGE) await scoreUnknown(of, numbers, scores, unknown, recheckMissingMs);
      else
        await inTurn(of.key, async () => {
          unknown = await scoreKnown(of, numbers, scores, unknown);
          await scoreUnknown(of, numbers, scores, unknown, recheckMissingMs);
        });
      return scores;
    };
};

/** Scores the cached vectors; returns the indexes of the others. */
const scoreKnown = async (
  { slabs, query }: ScoringOf,
  numbers: Float64Array,
  scores: Float64Array,
  indexes: Iterable<number>,
): Promise<readonly number[]> => {
  const unknown: number[] = [];
  let done = 0;
  for (const index of indexes) {
    const score = slabs.score(numbers[index] ?? 0, query);
    if (score === undefined) unknown.push(index);
    else scores[index] = score;
    done += 1;
    if (done % SCORES_PER_TURN === 0) await nextTurn();
  }
  return unknown;
};

const scoreUnknown = async (
  { trx, model, slabs, query, keeps }: ScoringOf,
  numbers: Float64Array,
  scores: Float64Array,
  unknown: readonly number[],
  recheckMissingMs: number,
): Promise<void> => {
  const now = performance.now();
  const unread = unknown.filter(
    (index) => now - (slabs.absent.get(numbers[index] ?? 0) ?? -Infinity) >= recheckMissingMs,
  );
  for (let at = 0; at < unread.length; at += PAGE) {
    const indexes = new Map(unread.slice(at, at + PAGE).map((index) => [numbers[index] ?? 0, index]));
    const page = keeps ? slabs : createSlabs(slabs.dimensions);
    for (const { no, code, scale } of await vectorsOf(trx, model, [...indexes.keys()])) {
      page.add(no, { code: new Int8Array(code), scale });
      scores[indexes.get(no) ?? 0] = page.score(no, query) ?? NaN;
      indexes.delete(no);
    }
    if (keeps) for (const no of indexes.keys()) slabs.absent.set(no, now);
  }
};

/** A content by its number, with its score. */
export interface Scored {
  readonly no: number;
  readonly score: number;
}

/** The `limit` best contents or more if the last ones are equal, best first. */
export const bestScores = (
  numbers: ArrayLike<number>,
  scores: Float64Array,
  limit: number,
): readonly Scored[] => {
  const known = scores.filter((score) => !Number.isNaN(score)).toSorted();
  const cut = known[Math.max(0, known.length - limit)] ?? Infinity;
  const best: Scored[] = [];
  for (const [i, score] of scores.entries()) if (score >= cut) best.push({ no: numbers[i] ?? 0, score });
  return best.toSorted((a, b) => b.score - a.score);
};
