import type { Sql } from '../database-schema.ts';
import {
  type Graphs,
  MAX_DIMENSIONS,
  createGraph,
  dropOrphanedGraphs,
  ensureGraphTable,
  exactUpTo,
  halfvec,
  withVectorWriteLock,
} from './graph-search.ts';
import type { QuantisedVector } from './vector-cache.ts';
import { sql } from 'kysely';

/** How often the required graphs are determined, and how long to wait after an error. */
const PLAN_MS = 60_000;
const RETRY_MS = 600_000;
/** Vectors per step: inserting one takes 5 to 40 ms. */
const PAGE = 50;

/**
 * Runs one step: inserts a page of vectors into their graph, starting with the graph that lacks fewest.
 * Returns whether any graph still lacks vectors. An error is reported, and the next step waits for some time.
 */
export const createGraphGrowth = (db: Sql, graphs: Graphs): (() => Promise<boolean>) => {
  let planned = -Infinity;
  let retryAt = -Infinity;
  return async () => {
    const now = performance.now();
    if (now < retryAt) return false;
    try {
      if (now - planned >= PLAN_MS) {
        await plan(db, graphs);
        planned = now;
      }
      return await grow(db, graphs);
    } catch (error) {
      retryAt = now + RETRY_MS;
      planned = -Infinity;
      graphs.onError?.(error as Error);
      return false;
    }
  };
};

/** The graph of a model that is being replaced is searched as it is, and no longer grows. */
const NEWEST = sql`m.wanted_at = (select max(wanted_at) from vectors.model)`;

interface MissingGraph {
  readonly tenant: string;
  readonly modelNo: number;
  readonly dimensions: number;
  readonly contents: number;
}

/** Creates the missing graphs, empty. */
const plan = async (db: Sql, graphs: Graphs): Promise<void> => {
  await withVectorWriteLock(db, (trx) => ensureGraphTable(trx, graphs));
  const { rows: without } = await sql<MissingGraph>`
    select v.tenant, v.model_no, m.dimensions, v.contents
    from (select tenant, model_no, count(*) as contents from vectors.content group by tenant, model_no) v
      join vectors.model m on m.no = v.model_no and m.dimensions <= ${MAX_DIMENSIONS} and ${NEWEST}
    where not exists (select from vectors.graph g
      where g.tenant = v.tenant and g.model_no = v.model_no and g.dimensions = m.dimensions
        and to_regclass('vectors.graph_' || g.no) is not null)`.execute(db);
  const required = without.filter(({ contents, dimensions }) => contents > exactUpTo(graphs, dimensions));
  for (const of of required) await withVectorWriteLock(db, (trx) => createGraph(trx, graphs, of));
  await withVectorWriteLock(db, dropOrphanedGraphs);
};

/**
 * Vector numbers ascend in commit order, because only one writer writes at a time: up to `upto`, a graph
 * contains all its vectors.
 */
const grow = (db: Sql, graphs: Graphs): Promise<boolean> =>
  withVectorWriteLock(db, async (trx) => {
    const { rows } = await sql<{ no: number; tenant: string; modelNo: number; dimensions: number }>`
      select g.no, g.tenant, g.model_no, g.dimensions
      from vectors.graph g join vectors.model m on m.no = g.model_no and m.dimensions = g.dimensions and ${NEWEST}
      where g.upto < (select max(no) from vectors.embedding) order by g.upto desc limit 1`.execute(trx);
    const [graph] = rows;
    if (graph === undefined) return false;
    const { no, tenant, modelNo, dimensions } = graph;
    const page = sql`(select e.* from vectors.embedding e where e.no > (select upto from vectors.graph where no = ${no})
      order by e.no limit ${PAGE})`;
    // A byte of 128 or more is negative. Only the direction matters, so `scale` is omitted.
    await sql`
      insert into vectors.graph_vector (embedding_no, graph_no, half)
      select e.no, ${no}, (select array_agg(((get_byte(e.code, i) # 128) - 128)::real order by i)
        from generate_series(0, length(e.code) - 1) i)::${halfvec(graphs, dimensions)}
      from ${page} e
      where e.tenant = ${tenant} and e.model_no = ${modelNo} and length(e.code) = ${dimensions}
      on conflict do nothing`.execute(trx);
    await sql`update vectors.graph set upto = (select max(e.no) from ${page} e) where no = ${no}`.execute(
      trx,
    );
    return true;
  });

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
