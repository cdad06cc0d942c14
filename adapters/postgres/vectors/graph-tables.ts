import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../database-schema.ts';

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
export const MOST_DIMENSIONS = 4_000;

/** From where on pgvector has iterative scans, without which a filter leaves too few. */
export const LEAST_VERSION = '0.8';

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
