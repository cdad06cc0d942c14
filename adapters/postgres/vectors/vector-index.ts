import { sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { RankedContent } from '../../../application/ports/search-index.ts';
import type { VectorIndex, VectorRankRequest } from '../../../application/ports/vector-index.ts';
import type { Sql } from '../database-schema.ts';
import { createBackground } from './grow-graphs.ts';
import { type Scored, bestScores, createScoring } from './scoring.ts';
import { type VectorSlabs, createVectorCache, quantise } from './vector-cache.ts';
import { candidatesOf } from './candidates.ts';
import { coverageOf } from './lacking-contents.ts';
import { type Graph, type GraphState, type Graphs, createGraphSearch, graphState } from './graph-search.ts';

export interface VectorIndexOptions {
  /** Memory for vectors, default 512 MiB: what does not fit is read from the database in every search. */
  readonly cacheBytes?: number;
  /** How old what is known of the coverage may be, default 5 s. */
  readonly coverageMs?: number;
  /** How long a content that had no vector is not asked for again, default 2 s. */
  readonly absentMs?: number;
  /** How old what is known of a tenant's texts at large may be, default 60 s. */
  readonly backgroundMs?: number;
  /** Where graphs of vectors are; default none. */
  readonly graphs?: Graphs | null;
}

/**
 * Exact search on any Postgres: which contents may be ranked is asked of the database, under the same conditions as
 * everywhere; their vectors, which never change under a content's number, are kept in memory and multiplied here. A
 * function in SQL takes fifty times as long. Where graphs are, they may say which contents are near: then only these are
 * multiplied.
 */
export const createVectorIndex = (
  db: Sql,
  {
    cacheBytes = 512 * 1024 ** 2,
    coverageMs = 5_000,
    absentMs = 2_000,
    backgroundMs = 60_000,
    graphs = null,
  }: VectorIndexOptions = {},
): VectorIndex => {
  const cache = createVectorCache(cacheBytes);
  const scoring = createScoring(absentMs);
  const backgroundOf = createBackground(backgroundMs);
  const rank = async (
    trx: Sql,
    scope: CatalogScope,
    request: VectorRankRequest,
    near: GraphSearch | null,
  ) => {
    const { model, graph } = await modelOf(trx, scope, request, near !== null);
    const query = quantise(request.vector);
    // The first statement of either names `read.content`, and holds the version until the end.
    const { version, ranked, shown, total } =
      (near && graph && (await near(trx, graph, scope, request, query))) ??
      (await candidatesOf(trx, scope, request));
    const key = `${scope.tenant} ${model} ${version}`;
    const slabs = cache.of(key, query.code.length);
    const keeps = cache.hasRoom(key, ...bytesOf(slabs, ranked));
    const score = scoring({ trx, model, key, slabs, query, keeps });
    const scores = await score(ranked);
    const seen = shown === ranked ? scores : await score(shown);
    const best = Math.max(greatest(scores), greatest(seen));
    const found = bestScores(shown, seen, request.limit);
    const background = await backgroundOf({ trx, tenant: scope.tenant, model, query });
    const floor = Math.max(0, Math.min(background, meanOf(scores)));
    return {
      ranked: await named(trx, found, best, request.limit),
      floor: best > 0 ? floor / best : 0,
      totalCandidates: total ?? scores.reduce((sum, of) => sum + (Number.isNaN(of) ? 0 : 1), 0),
    };
  };
  const reading = db.transaction().setAccessMode('read only');
  const near = graphs && createGraphSearch(graphs, absentMs);
  return {
    coverage: coverageOf(db, coverageMs),
    rank: async (scope, request) => {
      try {
        return await reading.execute((trx) => rank(trx, scope, request, near));
      } catch (error) {
        if (graphs === null || !isOfExtension(error)) throw error;
        graphs.onError?.(error as Error);
        return reading.execute((trx) => rank(trx, scope, request, null));
      }
    },
  };
};

type GraphSearch = ReturnType<typeof createGraphSearch>;

/** Something is not there, or not as it was, or its library is broken: a search does without it. */
const isOfExtension = (error: unknown): boolean =>
  /^(?:0A|22|3F|42|58|XX)/.test(String((error as { code?: unknown }).code));

/** @throws Error for a question of another length than the model's vectors have */
const modelOf = async (
  trx: Sql,
  { tenant }: CatalogScope,
  { model: name, vector }: VectorRankRequest,
  withGraph: boolean,
): Promise<{ readonly model: number; readonly graph: Graph | null }> => {
  const { rows } = await sql<{ no: number; dimensions: number | null; graph: GraphState | null }>`
    select m.no, m.dimensions, ${withGraph ? graphState(tenant) : sql`null`} as graph
    from vectors.model m where m.name = ${name}`.execute(trx);
  const { no: model = 0, dimensions = null, graph = null } = rows[0] ?? {};
  if (dimensions !== null && dimensions !== vector.length)
    throw new Error(`vectors of ${name} have ${dimensions} dimensions, not ${vector.length}`);
  return { model, graph: graph && { ...graph, tenant, model, dimensions: vector.length } };
};

/** What is missing in memory of these contents, and what they take in all. */
const bytesOf = (slabs: VectorSlabs, numbers: Float64Array): readonly [number, number] => {
  const each = slabs.dimensions + 64;
  const missing = numbers.reduce((sum, no) => sum + (slabs.has(no) ? 0 : 1), 0);
  return [missing * each, numbers.length * each];
};

const greatest = (scores: Float64Array): number =>
  scores.reduce((most, score) => (score > most ? score : most), 0);

/** Infinity for none. */
const meanOf = (scores: Float64Array): number => {
  const known = scores.filter((score) => !Number.isNaN(score));
  return known.length === 0 ? Infinity : known.reduce((sum, score) => sum + score, 0) / known.length;
};

/** With their ids, which decide between equal scores. */
const named = async (
  trx: Sql,
  found: readonly Scored[],
  best: number,
  limit: number,
): Promise<readonly RankedContent[]> => {
  const { rows } = await sql<{ no: number; id: string }>`
    select no, id from read.content where no = any(${found.map(({ no }) => no)}::bigint[])`.execute(trx);
  const ids = new Map(rows.map(({ no, id }) => [no, id]));
  return found
    .map(({ no, score }) => ({
      contentId: ids.get(no) ?? '',
      score: best > 0 ? Math.max(0, score / best) : 0,
    }))
    .filter(({ contentId }) => contentId !== '')
    .toSorted((a, b) => b.score - a.score || (a.contentId < b.contentId ? -1 : 1))
    .slice(0, limit);
};
