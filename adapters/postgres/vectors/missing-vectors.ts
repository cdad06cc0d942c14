import type { Coverage, VectorIndex } from '../../../application/ports/search-engine.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';

/** The contents of a tenant up to a number, and those of them without a vector of the model. */
export interface MissingVectors {
  readonly upto: number;
  readonly numbers: readonly number[];
}

interface MissingVectorsRequest {
  readonly tenant: string;
  readonly model: number;
  /** Changes when the vectors change: then all contents are checked again. */
  readonly key: string;
}

interface Known extends MissingVectors {
  readonly key: string;
  readonly at: number;
}

/** Longer lists are not cached: a model that lacks so many vectors has hardly started. */
const MAX_MISSING = 10_000;
/** How long contents are not counted again in that case. */
const RETRY_MS = 10_000;

/**
 * Finds the contents without a vector without checking all of them in every search. Numbers ascend and a
 * content keeps its vector, so only new contents and those that lacked a vector are checked, the latter once
 * per `recheckMissingMs`. Returns null if too many lack one.
 */
export const createMissingVectors = (recheckMissingMs: number) => {
  const known = new Map<string, Known>();
  return async (trx: Sql, of: MissingVectorsRequest): Promise<MissingVectors | null> => {
    const cacheKey = `${of.model} ${of.tenant}`;
    const now = performance.now();
    const last = known.get(cacheKey);
    const before = last?.key === of.key ? last : { upto: 0, numbers: [], at: -Infinity };
    if (before.numbers.length > MAX_MISSING && now - before.at < RETRY_MS) return null;
    const again = now - before.at >= recheckMissingMs;
    const from = before.numbers.length > MAX_MISSING ? { upto: 0, numbers: [] } : before;
    const found = await findMissing(trx, of, from.upto, again ? from.numbers : []);
    const numbers = again ? found.numbers : [...from.numbers, ...found.numbers];
    known.set(cacheKey, { upto: found.upto, numbers, at: again ? now : before.at, key: of.key });
    return numbers.length > MAX_MISSING ? null : { upto: found.upto, numbers };
  };
};

/**
 * Checks these contents and all after `upto`. A vector without a direction does not count: see `quantise`.
 */
const findMissing = async (
  trx: Sql,
  { tenant, model }: MissingVectorsRequest,
  upto: number,
  numbers: readonly number[],
): Promise<MissingVectors> => {
  const { rows } = await sql<{ upto: number; lacking: Buffer }>`
    select greatest(max(c.no), ${upto}) as upto,
      ${packedNumbers(sql`c.no`, sql`e.no is null`)} as lacking
    from read.content c
      left join (vectors.content v join vectors.embedding e
          on e.no = v.embedding_no and e.code is not null and e.scale <> 'NaN')
        on v.tenant = c.tenant and v.model_no = ${model} and v.content_id = c.id and v.label = c.label
    where c.tenant = ${tenant} and (c.no > ${upto} or c.no = any(${numbers}::bigint[]))`.execute(trx);
  const [found] = rows;
  return { upto: found?.upto ?? upto, numbers: [...unpackedNumbers(found?.lacking ?? Buffer.alloc(0))] };
};

/** Counts at most once per `ms` and tenant; the next count evicts idle tenants. */
export const coverageOf = (db: Sql, ms: number): VectorIndex['coverage'] => {
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
