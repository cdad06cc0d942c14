import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { VectorRankRequest } from '../../../application/ports/vector-index.ts';
import { contentCondition, seenContent } from '../catalog/content-condition.ts';
import type { Sql } from '../database-schema.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import type { Candidates } from './candidates.ts';
import { exactUpTo, type Graphs, halfvec } from './graph-tables.ts';
import { createLacking, type Lacking } from './lacking-contents.ts';
import type { QuantisedVector } from './quantise.ts';

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
const MOST_LATE = 10_000;
/** Vectors that a search through the graph passes at most, and how many it keeps in view. */
const MOST_PASSED = 20_000;
const LEAST_IN_VIEW = 100;
const MOST_IN_VIEW = 1_000;
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
    if (graph.behind > MOST_LATE) return null;
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
      if (most * counts.every > of * MOST_PASSED) return null;
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
  const inView = Math.min(Math.max(most, LEAST_IN_VIEW), MOST_IN_VIEW);
  await sql`select set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', ${String(inView)}, true), set_config('hnsw.scan_mem_multiplier', '4', true),
    set_config('hnsw.max_scan_tuples', ${String(MOST_PASSED)}, true)`.execute(trx);
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
