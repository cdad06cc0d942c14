import { sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type {
  RankedContent,
  VectorIndex,
  VectorRankRequest,
} from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';
import { createBackground } from './grow-graphs.ts';
import { type Scored, bestScores, createScoring } from './scoring.ts';
import { type VectorSlabs, createVectorCache, quantise } from './vector-cache.ts';
import { candidatesOf } from './candidates.ts';
import { coverageOf } from './missing-vectors.ts';
import { type Graph, type GraphState, type Graphs, createGraphSearch, graphState } from './graph-search.ts';

export interface VectorIndexOptions {
  /** Memory for vectors, default 512 MiB; vectors that do not fit are read in every search. */
  readonly cacheBytes?: number;
  /** Maximum age of the cached coverage, default 5 s. */
  readonly coverageMs?: number;
  /** How long a content without a vector is not checked again, default 2 s. */
  readonly recheckMissingMs?: number;
  /** Maximum age of a tenant's cached background similarity, default 60 s. */
  readonly backgroundMs?: number;
  /** Access to vector graphs; default none. */
  readonly graphs?: Graphs | null;
}

/**
 * Exact search on any Postgres. The database decides which contents may be ranked, by the same conditions as
 * everywhere. Their vectors, which never change under a content's number, are cached and multiplied here; an
 * SQL function takes fifty times as long. If graphs exist, they may find the near contents, and only these
 * are multiplied.
 */
export const createVectorIndex = (
  db: Sql,
  {
    cacheBytes = 512 * 1024 ** 2,
    coverageMs = 5_000,
    recheckMissingMs = 2_000,
    backgroundMs = 60_000,
    graphs = null,
  }: VectorIndexOptions = {},
): VectorIndex => {
  const cache = createVectorCache(cacheBytes);
  const scoring = createScoring(recheckMissingMs);
  const backgroundOf = createBackground(backgroundMs);
  const rank = async (
    trx: Sql,
    scope: CatalogScope,
    request: VectorRankRequest,
    near: GraphSearch | null,
  ) => {
    const { model, graph } = await modelOf(trx, scope, request, near !== null);
    const query = quantise(request.vector);
    // The first statement of either function reads `read.content`, which locks the version until the end.
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
      ranked: await withIds(trx, found, best, request.limit),
      floor: best > 0 ? floor / best : 0,
      totalCandidates: total ?? scores.reduce((sum, of) => sum + (Number.isNaN(of) ? 0 : 1), 0),
    };
  };
  const reading = db.transaction().setAccessMode('read only');
  const near = graphs && createGraphSearch(graphs, recheckMissingMs);
  return {
    coverage: coverageOf(db, coverageMs),
    rank: async (scope, request) => {
      try {
        return await reading.execute((trx) => rank(trx, scope, request, near));
      } catch (error) {
        if (graphs === null || !isExtensionError(error)) throw error;
        graphs.onError?.(error as Error);
        return reading.execute((trx) => rank(trx, scope, request, null));
      }
    },
  };
};

type GraphSearch = ReturnType<typeof createGraphSearch>;

/** The extension is missing, has changed or is broken: the search continues without it. */
const isExtensionError = (error: unknown): boolean =>
  /^(?:0A|22|3F|42|58|XX)/.test(String((error as { code?: unknown }).code));

/** @throws Error for a query vector of another length than the model's vectors */
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

/** Missing bytes of these contents, and their total size. */
const bytesOf = (slabs: VectorSlabs, numbers: Float64Array): readonly [number, number] => {
  const each = slabs.dimensions + 64;
  const missing = numbers.reduce((sum, no) => sum + (slabs.has(no) ? 0 : 1), 0);
  return [missing * each, numbers.length * each];
};

const greatest = (scores: Float64Array): number =>
  scores.reduce((most, score) => (score > most ? score : most), 0);

/** Infinity for no scores. */
const meanOf = (scores: Float64Array): number => {
  const known = scores.filter((score) => !Number.isNaN(score));
  return known.length === 0 ? Infinity : known.reduce((sum, score) => sum + score, 0) / known.length;
};

/** Adds the ids, which order equal scores. */
const withIds = async (
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
