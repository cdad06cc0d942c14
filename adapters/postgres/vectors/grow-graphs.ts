import type { Sql } from '../database-schema.ts';
import {
  type Graphs,
  MAX_DIMENSIONS,
  createGraph,
  dropLostGraphs,
  ensureGraphTable,
  exactUpTo,
  halfvec,
  writing,
} from './graph-search.ts';
import type { QuantisedVector } from './vector-cache.ts';
import { sql } from 'kysely';

/** How often it is looked which graphs are wanted, and how long nothing is tried after an error. */
const PLAN_MS = 60_000;
const REST_MS = 600_000;
/** Vectors that are looked at in one step: putting one into its place takes 5 to 40 ms. */
const PAGE = 50;

/**
 * One step: a page of vectors put into their graph, that of the one first that lacks least. Answers whether any graph
 * lacks vectors still. An error is told, and nothing is done for some time.
 */
export const createGrowing = (db: Sql, graphs: Graphs): (() => Promise<boolean>) => {
  let planned = -Infinity;
  let restsUntil = -Infinity;
  return async () => {
    const now = performance.now();
    if (now < restsUntil) return false;
    try {
      if (now - planned >= PLAN_MS) {
        await plan(db, graphs);
        planned = now;
      }
      return await grow(db, graphs);
    } catch (error) {
      restsUntil = now + REST_MS;
      planned = -Infinity;
      graphs.onError?.(error as Error);
      return false;
    }
  };
};

/** A model that another one is to replace is searched as far as its graph goes: it does not grow any more. */
const NEWEST = sql`m.wanted_at = (select max(wanted_at) from vectors.model)`;

interface Wanted {
  readonly tenant: string;
  readonly modelNo: number;
  readonly dimensions: number;
  readonly contents: number;
}

/** Makes the graphs that are wanted and not there, empty. */
const plan = async (db: Sql, graphs: Graphs): Promise<void> => {
  await writing(db, (trx) => ensureGraphTable(trx, graphs));
  const { rows: without } = await sql<Wanted>`
    select v.tenant, v.model_no, m.dimensions, v.contents
    from (select tenant, model_no, count(*) as contents from vectors.content group by tenant, model_no) v
      join vectors.model m on m.no = v.model_no and m.dimensions <= ${MAX_DIMENSIONS} and ${NEWEST}
    where not exists (select from vectors.graph g
      where g.tenant = v.tenant and g.model_no = v.model_no and g.dimensions = m.dimensions
        and to_regclass('vectors.graph_' || g.no) is not null)`.execute(db);
  const wanted = without.filter(({ contents, dimensions }) => contents > exactUpTo(graphs, dimensions));
  for (const of of wanted) await writing(db, (trx) => createGraph(trx, graphs, of));
  await writing(db, dropLostGraphs);
};

/**
 * Numbers of vectors ascend in the order of commits, as one writes at a time: up to `upto`, a graph has all that there
 * are of its own.
 */
const grow = (db: Sql, graphs: Graphs): Promise<boolean> =>
  writing(db, async (trx) => {
    const { rows } = await sql<{ no: number; tenant: string; modelNo: number; dimensions: number }>`
      select g.no, g.tenant, g.model_no, g.dimensions
      from vectors.graph g join vectors.model m on m.no = g.model_no and m.dimensions = g.dimensions and ${NEWEST}
      where g.upto < (select max(no) from vectors.embedding) order by g.upto desc limit 1`.execute(trx);
    const [graph] = rows;
    if (graph === undefined) return false;
    const { no, tenant, modelNo, dimensions } = graph;
    const page = sql`(select e.* from vectors.embedding e where e.no > (select upto from vectors.graph where no = ${no})
      order by e.no limit ${PAGE})`;
    // A byte from 128 on is negative. What matters is the direction, so `scale` is left out.
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

/** Texts that stand for all: the mean of so many cosines is off by a sixteenth of their deviation. */
const SAMPLE = 256;

interface BackgroundOf {
  readonly trx: Sql;
  readonly tenant: string;
  readonly model: number;
  readonly query: QuantisedVector;
}

/**
 * How near any text of a tenant is to a question: the mean of the cosines. Some models answer 0.1, others 0.7. Looked at
 * are the texts whose hashes come first, which is by lot and the same in every search, whatever its scope, its filter
 * and the way it is searched. Their mean is read at most once in `ms`. 0 where nothing is embedded.
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

/** Of vectors of length 1. */
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
