import { sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type {
  Coverage,
  RankedContent,
  VectorIndex,
  VectorRankRequest,
} from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';
import { type Scored, bestScores, createBackground, createScoring } from './scoring.ts';
import { type VectorSlabs, createVectorCache, quantise } from './vector-cache.ts';
import { candidatesOf } from './candidates.ts';

export interface VectorIndexOptions {
  /** Memory for vectors, default 512 MiB; vectors that do not fit are read in every search. */
  readonly cacheBytes?: number;
  /** Maximum age of the cached coverage, default 5 s. */
  readonly coverageMs?: number;
  /** How long a content without a vector is not checked again, default 2 s. */
  readonly recheckMissingMs?: number;
  /** Maximum age of a tenant's cached background similarity, default 60 s. */
  readonly backgroundMs?: number;
}

/**
 * Exact search on any Postgres. The database decides which contents may be ranked, by the same conditions as
 * everywhere. Their vectors, which never change under a content's number, are cached and multiplied here; an
 * SQL function takes fifty times as long.
 */
export const createVectorIndex = (
  db: Sql,
  {
    cacheBytes = 512 * 1024 ** 2,
    coverageMs = 5_000,
    recheckMissingMs = 2_000,
    backgroundMs = 60_000,
  }: VectorIndexOptions = {},
): VectorIndex => {
  const cache = createVectorCache(cacheBytes);
  const scoring = createScoring(recheckMissingMs);
  const backgroundOf = createBackground(backgroundMs);
  const rank = async (trx: Sql, scope: CatalogScope, request: VectorRankRequest) => {
    const model = await modelOf(trx, request);
    const query = quantise(request.vector);
    // The first statement of `candidatesOf` reads `read.content`, which locks the version until the end.
    const { version, ranked, shown } = await candidatesOf(trx, scope, request);
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
      totalCandidates: scores.reduce((sum, of) => sum + (Number.isNaN(of) ? 0 : 1), 0),
    };
  };
  const reading = db.transaction().setAccessMode('read only');
  return {
    coverage: coverageOf(db, coverageMs),
    rank: (scope, request) => reading.execute((trx) => rank(trx, scope, request)),
  };
};

/** @throws Error for a query vector of another length than the model's vectors */
const modelOf = async (trx: Sql, { model: name, vector }: VectorRankRequest): Promise<number> => {
  const { rows } = await sql<{ no: number; dimensions: number | null }>`
    select no, dimensions from vectors.model where name = ${name}`.execute(trx);
  const { no = 0, dimensions = null } = rows[0] ?? {};
  if (dimensions !== null && dimensions !== vector.length)
    throw new Error(`vectors of ${name} have ${dimensions} dimensions, not ${vector.length}`);
  return no;
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

/** Counts at most once per `ms` and tenant; the next count evicts idle tenants. */
const coverageOf = (db: Sql, ms: number): VectorIndex['coverage'] => {
  const known = new Map<string, { readonly at: number; readonly coverage: Promise<readonly Coverage[]> }>();
  return (tenant) => {
    const now = performance.now();
    const before = known.get(tenant);
    if (before !== undefined && now - before.at < ms) return before.coverage;
    for (const [other, { at }] of known) if (now - at >= ms) known.delete(other);
    const coverage = count(db, tenant);
    known.set(tenant, { at: now, coverage });
    coverage.catch(() => known.delete(tenant));
    return coverage;
  };
};

/** Vectors of deleted contents are kept and counted for an hour, so the share is capped at 1. */
const count = async (db: Sql, tenant: string): Promise<readonly Coverage[]> => {
  const { rows } = await sql<Coverage>`
    select m.name as model, m.dimensions, least(1, v.n / greatest(1, t.n)) as share
    from (select model_no, count(*)::float8 as n from vectors.content
        where tenant = ${tenant} and missed_since is null group by model_no) v
      join vectors.model m on m.no = v.model_no
      cross join (select coalesce(sum(contents), 0)::float8 as n from read.source_count where tenant = ${tenant}) t
    where m.dimensions is not null
    order by m.wanted_at desc`.execute(db);
  return rows;
};
