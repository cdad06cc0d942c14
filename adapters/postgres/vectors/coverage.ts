import { sql } from 'kysely';
import type { Coverage, VectorIndex } from '../../../application/ports/vector-index.ts';
import type { Sql } from '../database-schema.ts';

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
