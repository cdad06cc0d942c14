import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { VectorRankRequest } from '../../../application/ports/search-engine.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import { contentCondition, seenContent } from '../catalog/conditions.ts';
import type { Sql } from '../database-schema.ts';
import type { Candidates } from './candidates.ts';
import { type MissingVectors, createMissingVectors } from './missing-vectors.ts';
import type { QuantisedVector } from './vector-cache.ts';
import { type RawBuilder, sql } from 'kysely';

/** A searchable graph. */
export interface Graph extends GraphState {
  readonly tenant: string;
  readonly model: number;
  readonly dimensions: number;
}

export interface GraphState {
  readonly no: number;
  /** The catalog's version. */
  readonly version: number;
  /** Vectors with numbers above `upto` are not in the graph yet; `behind` is how many numbers these are. */
  readonly upto: number;
  readonly behind: number;
}

/** Maximum number of vectors outside the graph, which are compared one by one. */
const MAX_UNINDEXED = 10_000;
/** Maximum number of vectors that a graph search visits, and the size of its candidate list. */
const MAX_VISITED = 20_000;
const MIN_CANDIDATES = 100;
const MAX_CANDIDATES = 1_000;
/** The graph search returns more than requested, because its distances differ slightly from the scores. */
const OVERFETCH_FACTOR = 1.1;
const OVERFETCH = 20;

/**
 * Returns the nearest candidates by the graph, under the same conditions as in every other read. Returns null
 * if all candidates must be compared: there are few of them, a graph search would visit too many others, the
 * graph lags too far behind, or it found too few.
 */
export const createGraphSearch = (graphs: Graphs, recheckMissingMs: number) => {
  const missingVectorsOf = createMissingVectors(recheckMissingMs);
  return async (
    trx: Sql,
    graph: Graph,
    scope: CatalogScope,
    request: VectorRankRequest,
    query: QuantisedVector,
  ): Promise<Candidates | null> => {
    if (graph.behind > MAX_UNINDEXED) return null;
    const { filter, limit, usePostfilter = false } = request;
    const key = `${graph.no} ${graph.version}`;
    const missing = await missingVectorsOf(trx, { ...graph, key });
    if (missing === null) return null;
    const visible = seenContent(scope);
    const matching = sql<boolean>`${visible} and ${contentCondition(scope, filter) ?? sql`true`}`;
    const counts = await count(trx, scope, missing, usePostfilter ? visible : matching, matching);
    const few = exactUpTo(graphs, graph.dimensions);
    if (counts.version !== graph.version || counts.ranked <= few) return null;
    const near = async (condition: RawBuilder<boolean>, fetchLimit: number, matchCount: number) => {
      if (matchCount <= few) return all(trx, condition);
      if (fetchLimit * counts.tenantTotal > matchCount * MAX_VISITED) return null;
      return nearest(trx, { graphs, graph, condition, query, limit: fetchLimit, matchCount });
    };
    const found = await near(matching, limit, counts.matching);
    const best = usePostfilter && found !== null ? await near(visible, 1, counts.ranked) : found;
    return found && best && { version: graph.version, ranked: best, shown: found, total: counts.ranked };
  };
};

/** Counts the ranked and the matching contents that have a vector, and all contents of the tenant. */
const count = async (
  trx: Sql,
  { tenant }: CatalogScope,
  { upto, numbers }: MissingVectors,
  ranked: RawBuilder<boolean>,
  matching: RawBuilder<boolean>,
) => {
  const { rows } = await sql<{ version: number; ranked: number; matching: number; tenantTotal: number }>`
    select (select version from projection_version where view = 'catalog' and live) as version,
      (select coalesce(sum(contents), 0)::bigint from read.source_count where tenant = ${tenant}) as tenant_total,
      count(*) as ranked, ${ranked === matching ? sql`count(*)` : sql`count(*) filter (where ${matching})`} as matching
    from read.content c
    where ${ranked} and c.no <= ${upto} and c.no <> all(${numbers}::bigint[])`.execute(trx);
  return rows[0] ?? { version: 0, ranked: 0, matching: 0, tenantTotal: 0 };
};

const all = async (trx: Sql, condition: RawBuilder<boolean>): Promise<Float64Array> => {
  const { rows } = await sql<{ packed: Buffer }>`
    select ${packedNumbers(sql`c.no`)} as packed from read.content c where ${condition}`.execute(trx);
  return unpackedNumbers(rows[0]?.packed ?? Buffer.alloc(0));
};

/**
 * The graph of a tenant and a model, next to `vectors.model` as `m`: a `GraphState`, or null if there is no
 * searchable one.
 */
export const graphState = (tenant: string): RawBuilder<unknown> => sql`(
  select to_jsonb(g) from (
    select g.no, g.upto, (select max(no) from vectors.embedding) - g.upto as behind,
      (select version from projection_version where view = 'catalog' and live) as version
    from vectors.graph g join pg_index i on i.indexrelid = to_regclass('vectors.graph_' || g.no) and i.indisvalid
    where g.tenant = ${tenant} and g.model_no = m.no and g.dimensions = m.dimensions) g)`;

interface Nearest {
  readonly graphs: Graphs;
  readonly graph: Graph;
  readonly condition: RawBuilder<boolean>;
  readonly query: QuantisedVector;
  readonly limit: number;
  /** Number of contents that match the condition. */
  readonly matchCount: number;
}

/**
 * The nearest vectors of the graph, and all vectors that it does not contain yet. Null if the search ended
 * before it found enough. The `offset 0` makes Postgres check the condition for one vector after the other,
 * in order of distance.
 */
const nearest = async (trx: Sql, { graphs, graph, condition, query, limit, matchCount }: Nearest) => {
  const fetchLimit = Math.ceil(limit * OVERFETCH_FACTOR) + OVERFETCH;
  const candidates = Math.min(Math.max(fetchLimit, MIN_CANDIDATES), MAX_CANDIDATES);
  await sql`select set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', ${String(candidates)}, true), set_config('hnsw.scan_mem_multiplier', '4', true),
    set_config('hnsw.max_scan_tuples', ${String(MAX_VISITED)}, true)`.execute(trx);
  const type = halfvec(graphs, graph.dimensions);
  const content = sql`vectors.content v join read.content c
      on c.tenant = v.tenant and c.id = v.content_id and c.label = v.label
      and v.tenant = ${graph.tenant} and v.model_no = ${graph.model} and ${condition}`;
  const { rows } = await sql<{ near: Buffer; unindexed: Buffer }>`
    select
      (select ${packedNumbers(sql`no`)} from (
        select c.no from vectors.graph_vector g cross join lateral (
          select c.no from ${content} where v.embedding_no = g.embedding_no offset 0) c
        where g.graph_no = ${sql.lit(graph.no)}
        order by g.half::${type} operator(${sql.id(graphs.schema)}.<=>) ${`[${query.code.join(',')}]`}::${type}
        fetch first (${fetchLimit}::bigint) rows with ties) near) as near,
      (select ${packedNumbers(sql`c.no`)}
        from vectors.embedding e cross join lateral (
          select c.no from ${content} where v.embedding_no = e.no offset 0) c
        where e.no > ${graph.upto} and e.tenant = ${graph.tenant} and e.model_no = ${graph.model}) as unindexed`.execute(
    trx,
  );
  const near = unpackedNumbers(rows[0]?.near ?? Buffer.alloc(0));
  const unindexed = unpackedNumbers(rows[0]?.unindexed ?? Buffer.alloc(0));
  return near.length < Math.min(fetchLimit, matchCount - unindexed.length)
    ? null
    : Float64Array.of(...near, ...unindexed);
};

/**
 * Access to pgvector. It finds the vectors near a query without comparing all of them, by a graph (HNSW) of
 * the vectors of one tenant and one model: so no search visits vectors of another tenant.
 */
export interface Graphs {
  /** The schema of the extension. */
  readonly schema: string;
  /**
   * Up to this number of contents, all vectors are compared: that is as fast as the graph, and exact. Default: see
   * `exactUpTo`.
   */
  readonly exactUpTo?: number;
  /** Receives errors; searches continue without graphs, and graphs are grown later. */
  readonly onError?: (error: Error) => void;
}

/**
 * The number of vectors whose comparison takes as long as a graph search for a thousand results. It is greater
 * for shorter vectors. On a native server with pgvector 0.8.5, both took the same time for 60,000
 * vectors of 384 dimensions, for some 30,000 of 1,536, and for 60,000 that a filter had left of 120,000. If
 * texts are near copies of each other, a graph search takes 1.5 times as long, so the limit is above the
 * measured numbers.
 */
export const exactUpTo = ({ exactUpTo: given }: Pick<Graphs, 'exactUpTo'>, dimensions: number): number =>
  given ?? Math.round(EXACT_WORK / (dimensions + PER_CONTENT));

const EXACT_WORK = 70_000_000;
/** Cost of a content in an exact search in addition to its vector, in dimensions. */
const PER_CONTENT = 340;

/** Maximum dimensions of `halfvec` in an index of pgvector. */
export const MAX_DIMENSIONS = 4_000;

/** The first version of pgvector with iterative scans, without which a filter leaves too few results. */
export const MIN_VERSION = '0.8';

export const halfvec = ({ schema }: Graphs, dimensions: number): RawBuilder<unknown> =>
  sql`${sql.id(schema, 'halfvec')}(${sql.lit(dimensions)})`;

const graphIndex = (no: number): string => `graph_${no}`;

/**
 * `vectors.graph_vector` contains the vectors of `vectors.embedding` in the type of the extension; deleted
 * vectors are deleted here too. It is not in a migration, because the extension may be installed later, and a
 * dump may be restored without it. An incomplete table is created again, together with its graphs.
 */
export const ensureGraphTable = async (trx: Sql, { schema }: Graphs): Promise<void> => {
  const { rows } = await sql`
    select from pg_attribute a where a.attrelid = to_regclass('vectors.graph_vector') and a.attname = 'half'
      and not a.attisdropped`.execute(trx);
  if (rows.length > 0) return;
  await sql`drop table if exists vectors.graph_vector`.execute(trx);
  await sql`delete from vectors.graph`.execute(trx);
  await sql`create table vectors.graph_vector (
    embedding_no bigint primary key references vectors.embedding on delete cascade,
    graph_no integer not null references vectors.graph on delete cascade,
    half ${sql.id(schema, 'halfvec')} not null)`.execute(trx);
};

/** Creates an empty graph. It is filled in small steps, which never block others for long. */
export const createGraph = async (
  trx: Sql,
  graphs: Graphs,
  graphKey: { readonly tenant: string; readonly modelNo: number; readonly dimensions: number },
): Promise<void> => {
  const { tenant, modelNo, dimensions } = graphKey;
  await sql`delete from vectors.graph where tenant = ${tenant} and model_no = ${modelNo}`.execute(trx);
  const { rows } = await sql<{ no: number }>`
    insert into vectors.graph (tenant, model_no, dimensions, upto)
    select ${tenant}, ${modelNo}, ${dimensions}, coalesce(min(e.no), 1) - 1 from vectors.embedding e
    where e.tenant = ${tenant} and e.model_no = ${modelNo}
    returning no`.execute(trx);
  const no = rows[0]?.no ?? 0;
  await sql`create index ${sql.id(graphIndex(no))} on vectors.graph_vector
    using hnsw ((half::${halfvec(graphs, dimensions)}) ${sql.id(graphs.schema, 'halfvec_cosine_ops')})
    where graph_no = ${sql.lit(no)}`.execute(trx);
};

/** Drops the graphs of models that were deleted or have another vector length now. */
export const dropOrphanedGraphs = async (trx: Sql): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass('vectors.graph_vector') and c.relname ~ '^graph_[0-9]+$'
      and not exists (select from vectors.graph g where 'graph_' || g.no = c.relname)`.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.id('vectors', name)}`.execute(trx);
};

/**
 * Serializes the writers of vectors: a writer that links a content to a vector sees whether the content still
 * exists, and one that deletes vectors sees which contents use them.
 */
export const withVectorWriteLock = <T>(db: Sql, write: (trx: Sql) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7702, 1)`.execute(trx);
    return write(trx);
  });
