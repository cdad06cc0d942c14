import type { Coverage, VectorIndex } from '../../../application/ports/vector-index.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';

/** Contents of a tenant up to a number, and which of them have no vector of a model. */
export interface Lacking {
  readonly upto: number;
  readonly numbers: readonly number[];
}

interface LackingOf {
  readonly tenant: string;
  readonly model: number;
  /** Another one for other vectors: then everything is looked at again. */
  readonly key: string;
}

interface Known extends Lacking {
  readonly key: string;
  readonly at: number;
}

/** More than these are not kept: a model that lacks so much has hardly begun. */
const MOST = 10_000;
/** How long they are not counted again then. */
const REST_MS = 10_000;

/**
 * Which contents have no vector, without looking at all of them in every search: numbers ascend, and a content that has
 * a vector keeps it, so only new ones and those that lacked one are asked for, the latter once in `absentMs`. Null when
 * too many lack one.
 */
export const createLacking = (absentMs: number) => {
  const known = new Map<string, Known>();
  return async (trx: Sql, of: LackingOf): Promise<Lacking | null> => {
    const place = `${of.model} ${of.tenant}`;
    const now = performance.now();
    const last = known.get(place);
    const before = last?.key === of.key ? last : { upto: 0, numbers: [], at: -Infinity };
    if (before.numbers.length > MOST && now - before.at < REST_MS) return null;
    const again = now - before.at >= absentMs;
    const from = before.numbers.length > MOST ? { upto: 0, numbers: [] } : before;
    const found = await lookUp(trx, of, from.upto, again ? from.numbers : []);
    const numbers = again ? found.numbers : [...from.numbers, ...found.numbers];
    known.set(place, { upto: found.upto, numbers, at: again ? now : before.at, key: of.key });
    return numbers.length > MOST ? null : { upto: found.upto, numbers };
  };
};

/** Of these, and of all after `upto`. A vector of no direction is none: see `quantise.ts`. */
const lookUp = async (
  trx: Sql,
  { tenant, model }: LackingOf,
  upto: number,
  numbers: readonly number[],
): Promise<Lacking> => {
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

/** Counts at most once in `ms` per tenant; tenants that have gone quiet are forgotten with the next count. */
export const coverageOf = (db: Sql, ms: number): VectorIndex['coverage'] => {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<readonly Coverage[]> }>();
  return (tenant) => {
    const now = performance.now();
    const before = known.get(tenant);
    if (before !== undefined && now - before.at < ms) return before.answer;
    for (const [other, { at }] of known) if (now - at >= ms) known.delete(other);
    const answer = count(db, tenant);
    known.set(tenant, { at: now, answer });
    answer.catch(() => known.delete(tenant));
    return answer;
  };
};

/** Of contents that went but whose vectors wait, too many are counted for an hour: the share is capped. */
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
