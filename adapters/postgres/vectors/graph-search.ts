import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { VectorRankRequest } from '../../../application/ports/vector-index.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import { contentCondition, seenContent } from '../catalog/conditions.ts';
import type { Sql } from '../database-schema.ts';
import type { Candidates } from './candidates.ts';
import { type Lacking, createLacking } from './lacking-contents.ts';
import type { QuantisedVector } from './vector-cache.ts';
import { type RawBuilder, sql } from 'kysely';

/** A graph that can be searched. */
export interface Graph extends GraphState {
  readonly tenant: string;
  readonly model: number;
  readonly dimensions: number;
}

export interface GraphState {
  readonly no: number;
  /** The catalog's version. */
  readonly version: number;
  /** Vectors with greater numbers are not in it yet; `behind` is how many numbers these are. */
  readonly upto: number;
  readonly behind: number;
}

/** Vectors that are not in the graph are looked at one by one: so many at most. */
const MAX_LATE = 10_000;
/** Vectors that a search through the graph passes at most, and how many it keeps in view. */
const MAX_PASSED = 20_000;
const MIN_IN_VIEW = 100;
const MAX_IN_VIEW = 1_000;
/** More are taken than are asked for, because the graph measures a little otherwise than scores do. */
const MORE = 1.1;
const FURTHER = 20;

/**
 * The candidates that matter, by the graph: near ones only, all of them under the same conditions as in every other
 * read. Null where all are to be looked at: they are few, or so few of many that a way through the graph would be
 * longer, or the graph is not far enough, or it has found too few.
 */
export const createGraphSearch = (graphs: Graphs, absentMs: number) => {
  const lackingOf = createLacking(absentMs);
  return async (
    trx: Sql,
    graph: Graph,
    scope: CatalogScope,
    request: VectorRankRequest,
    query: QuantisedVector,
  ): Promise<Candidates | null> => {
    if (graph.behind > MAX_LATE) return null;
    const { filter, limit, usePostfilter = false } = request;
    const key = `${graph.no} ${graph.version}`;
    const lacking = await lackingOf(trx, { ...graph, key });
    if (lacking === null) return null;
    const seen = seenContent(scope);
    const shown = sql<boolean>`${seen} and ${contentCondition(scope, filter) ?? sql`true`}`;
    const counts = await count(trx, scope, lacking, usePostfilter ? seen : shown, shown);
    const few = exactUpTo(graphs, graph.dimensions);
    if (counts.version !== graph.version || counts.ranked <= few) return null;
    const near = async (condition: RawBuilder<boolean>, most: number, of: number) => {
      if (of <= few) return all(trx, condition);
      if (most * counts.every > of * MAX_PASSED) return null;
      return nearest(trx, { graphs, graph, condition, query, limit: most, of });
    };
    const found = await near(shown, limit, counts.shown);
    const best = usePostfilter && found !== null ? await near(seen, 1, counts.ranked) : found;
    return found && best && { version: graph.version, ranked: best, shown: found, total: counts.ranked };
  };
};

/** How many have a vector, of those that are ranked and those that are shown; and how many the tenant has in all. */
const count = async (
  trx: Sql,
  { tenant }: CatalogScope,
  { upto, numbers }: Lacking,
  ranked: RawBuilder<boolean>,
  shown: RawBuilder<boolean>,
) => {
  const { rows } = await sql<{ version: number; ranked: number; shown: number; every: number }>`
    select (select version from projection_version where view = 'catalog' and live) as version,
      (select coalesce(sum(contents), 0)::bigint from read.source_count where tenant = ${tenant}) as every,
      count(*) as ranked, ${ranked === shown ? sql`count(*)` : sql`count(*) filter (where ${shown})`} as shown
    from read.content c
    where ${ranked} and c.no <= ${upto} and c.no <> all(${numbers}::bigint[])`.execute(trx);
  return rows[0] ?? { version: 0, ranked: 0, shown: 0, every: 0 };
};

const all = async (trx: Sql, condition: RawBuilder<boolean>): Promise<Float64Array> => {
  const { rows } = await sql<{ packed: Buffer }>`
    select ${packedNumbers(sql`c.no`)} as packed from read.content c where ${condition}`.execute(trx);
  return unpackedNumbers(rows[0]?.packed ?? Buffer.alloc(0));
};

/**
 * The graph of a tenant by a model, beside `vectors.model` as `m`: a `GraphState`, null where there
 * is none that can be searched.
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
  /** How many there are. */
  readonly of: number;
}

/**
 * The nearest that the graph knows, and all that it does not have yet. Null when it ended before it had found enough.
 * The condition stands behind an `offset 0`, so that it is asked of one vector after the other, as they come nearer.
 */
const nearest = async (trx: Sql, { graphs, graph, condition, query, limit, of }: Nearest) => {
  const most = Math.ceil(limit * MORE) + FURTHER;
  const inView = Math.min(Math.max(most, MIN_IN_VIEW), MAX_IN_VIEW);
  await sql`select set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', ${String(inView)}, true), set_config('hnsw.scan_mem_multiplier', '4', true),
    set_config('hnsw.max_scan_tuples', ${String(MAX_PASSED)}, true)`.execute(trx);
  const type = halfvec(graphs, graph.dimensions);
  const content = sql`vectors.content v join read.content c
      on c.tenant = v.tenant and c.id = v.content_id and c.label = v.label
      and v.tenant = ${graph.tenant} and v.model_no = ${graph.model} and ${condition}`;
  const { rows } = await sql<{ near: Buffer; late: Buffer }>`
    select
      (select ${packedNumbers(sql`no`)} from (
        select c.no from vectors.graph_vector g cross join lateral (
          select c.no from ${content} where v.embedding_no = g.embedding_no offset 0) c
        where g.graph_no = ${sql.lit(graph.no)}
        order by g.half::${type} operator(${sql.id(graphs.schema)}.<=>) ${`[${query.code.join(',')}]`}::${type}
        fetch first (${most}::bigint) rows with ties) near) as near,
      (select ${packedNumbers(sql`c.no`)}
        from vectors.embedding e cross join lateral (
          select c.no from ${content} where v.embedding_no = e.no offset 0) c
        where e.no > ${graph.upto} and e.tenant = ${graph.tenant} and e.model_no = ${graph.model}) as late`.execute(
    trx,
  );
  const near = unpackedNumbers(rows[0]?.near ?? Buffer.alloc(0));
  const late = unpackedNumbers(rows[0]?.late ?? Buffer.alloc(0));
  return near.length < Math.min(most, of - late.length) ? null : Float64Array.of(...near, ...late);
};

/**
 * Where pgvector is. It answers which vectors are near a question without looking at all of them, by a graph (HNSW) of
 * the vectors of one tenant by one model: so nobody's search passes the vectors of another tenant.
 */
export interface Graphs {
  /** The schema of the extension. */
  readonly schema: string;
  /** Up to so many contents all are looked at, which is as fast and exact; default: see `exactUpTo`. */
  readonly exactUpTo?: number;
  /** Told what went wrong; searches go on without graphs, and graphs are grown later. */
  readonly onError?: (error: Error) => void;
}

/**
 * Searches read a thousand deep, and a graph takes as long for that as it takes to look at so many: the more, the
 * shorter their vectors are. On a native server with pgvector 0.8.5, both took the same for 60,000 vectors of 384
 * dimensions and for some 30,000 of 1,536, and for 60,000 that a filter had left of 120,000. Where texts are near copies
 * of each other, a graph is slower by half, so the exact search is kept for that much more.
 */
export const exactUpTo = ({ exactUpTo: given }: Pick<Graphs, 'exactUpTo'>, dimensions: number): number =>
  given ?? Math.round(EXACT_WORK / (dimensions + PER_CONTENT));

const EXACT_WORK = 70_000_000;
/** What a content costs in an exact search beside its vector, in dimensions. */
const PER_CONTENT = 340;

/** What an index of pgvector holds at most of `halfvec`. */
export const MAX_DIMENSIONS = 4_000;

/** From where on pgvector has iterative scans, without which a filter leaves too few. */
export const MIN_VERSION = '0.8';

export const halfvec = ({ schema }: Graphs, dimensions: number): RawBuilder<unknown> =>
  sql`${sql.id(schema, 'halfvec')}(${sql.lit(dimensions)})`;

const graphIndex = (no: number): string => `graph_${no}`;

/**
 * `vectors.graph_vector` holds what `vectors.embedding` holds, once more, in the type of the extension; who deletes there
 * deletes here. It is in no migration: the extension may come later, and a dump may be restored where it is not. What
 * is not whole is made anew, and the graphs with it.
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

/** While it is empty: filled in small pieces, it never makes anybody wait for long. */
export const createGraph = async (
  trx: Sql,
  graphs: Graphs,
  of: { readonly tenant: string; readonly modelNo: number; readonly dimensions: number },
): Promise<void> => {
  const { tenant, modelNo, dimensions } = of;
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

/** Of models that are gone, or answer vectors of another length now. */
export const dropLostGraphs = async (trx: Sql): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass('vectors.graph_vector') and c.relname ~ '^graph_[0-9]+$'
      and not exists (select from vectors.graph g where 'graph_' || g.no = c.relname)`.execute(trx);
  for (const { name } of rows) await sql`drop index ${sql.id('vectors', name)}`.execute(trx);
};

/**
 * One writer of vectors at a time: who gives a content its vector sees whether the content is still there, and who
 * takes vectors away sees who has them.
 */
export const writing = <T>(db: Sql, write: (trx: Sql) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7702, 1)`.execute(trx);
    return write(trx);
  });
