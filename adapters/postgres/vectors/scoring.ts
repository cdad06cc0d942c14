import type { Sql } from '../database-schema.ts';
import { vectorsOf } from './candidates.ts';
import { type QuantisedVector, type VectorSlabs, createSlabs } from './vector-cache.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface ScoringOf {
  readonly trx: Sql;
  readonly model: number;
  /** Of the slabs. */
  readonly key: string;
  readonly slabs: VectorSlabs;
  readonly query: QuantisedVector;
  /** Whether what is read shall stay in the slabs. */
  readonly keeps: boolean;
}

/** Vectors that are read at once, and scores that are computed without a turn of the event loop. */
const PAGE = 2_000;
const AT_ONCE = 2_048;

/**
 * Scores of contents, in their order; not-a-number for those without a vector. Vectors that are not in memory are read
 * page by page. Searches that all miss a whole tenant, as after a start, read it one after the other: all but the first
 * then find it there.
 */
export const createScoring = (absentMs: number) => {
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
      if (unknown.length <= PAGE) await scoreUnknown(of, numbers, scores, unknown, absentMs);
      else
        await inTurn(of.key, async () => {
          unknown = await scoreKnown(of, numbers, scores, unknown);
          await scoreUnknown(of, numbers, scores, unknown, absentMs);
        });
      return scores;
    };
};

/** Scores what is in memory; answers the places of the others. */
const scoreKnown = async (
  { slabs, query }: ScoringOf,
  numbers: Float64Array,
  scores: Float64Array,
  places: Iterable<number>,
): Promise<readonly number[]> => {
  const unknown: number[] = [];
  let done = 0;
  for (const place of places) {
    const score = slabs.score(numbers[place] ?? 0, query);
    if (score === undefined) unknown.push(place);
    else scores[place] = score;
    done += 1;
    if (done % AT_ONCE === 0) await nextTurn();
  }
  return unknown;
};

const scoreUnknown = async (
  { trx, model, slabs, query, keeps }: ScoringOf,
  numbers: Float64Array,
  scores: Float64Array,
  unknown: readonly number[],
  absentMs: number,
): Promise<void> => {
  const now = performance.now();
  const asked = unknown.filter(
    (place) => now - (slabs.absent.get(numbers[place] ?? 0) ?? -Infinity) >= absentMs,
  );
  for (let at = 0; at < asked.length; at += PAGE) {
    const places = new Map(asked.slice(at, at + PAGE).map((place) => [numbers[place] ?? 0, place]));
    const page = keeps ? slabs : createSlabs(slabs.dimensions);
    for (const { no, code, scale } of await vectorsOf(trx, model, [...places.keys()])) {
      page.add(no, { code: new Int8Array(code), scale });
      scores[places.get(no) ?? 0] = page.score(no, query) ?? NaN;
      places.delete(no);
    }
    if (keeps) for (const no of places.keys()) slabs.absent.set(no, now);
  }
};

/** A content by its number, and how well it fits. */
export interface Scored {
  readonly no: number;
  readonly score: number;
}

/** At least the `limit` best of these, more where the last are equal, best first. */
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
