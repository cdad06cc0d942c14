import { sql } from 'kysely';
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

/** Sample size: the mean of this many cosines deviates by a sixteenth of their standard deviation. */
const SAMPLE = 256;

interface BackgroundOf {
  readonly trx: Sql;
  readonly tenant: string;
  readonly model: number;
  readonly query: QuantisedVector;
}

/**
 * The similarity of a query to any text of a tenant: the mean cosine, which is 0.1 for some models and 0.7
 * for others. The sample consists of the texts with the smallest hashes: it is random, but the same in every
 * search, whatever its scope, filter and search method. Its mean vector is read at most once per `ms`. 0 if
 * nothing is embedded.
 */
export const createBackground = (ms: number) => {
  const known = new Map<string, { readonly at: number; readonly mean: Float64Array }>();
  return async ({ trx, tenant, model, query }: BackgroundOf): Promise<number> => {
    const key = `${model} ${tenant}`;
    const now = performance.now();
    for (const [other, { at }] of known) if (now - at >= ms) known.delete(other);
    const mean = known.get(key)?.mean ?? (await meanOf(trx, tenant, model, query.code.length));
    if (!known.has(key)) known.set(key, { at: now, mean });
    return query.code.reduce((sum, value, i) => sum + value * (mean[i] ?? 0), 0) * query.scale;
  };
};

/** The mean of unit vectors. */
const meanOf = async (trx: Sql, tenant: string, model: number, dimensions: number): Promise<Float64Array> => {
  const { rows } = await sql<{ code: Buffer; scale: number }>`
    select code, scale from vectors.embedding
    where tenant = ${tenant} and model_no = ${model} and code is not null
    order by sha256 limit ${SAMPLE}`.execute(trx);
  const mean = new Float64Array(dimensions);
  for (const { code, scale } of rows)
    for (const [i, value] of new Int8Array(code).entries())
      mean[i] = (mean[i] ?? 0) + (value * scale) / rows.length;
  return mean;
};
