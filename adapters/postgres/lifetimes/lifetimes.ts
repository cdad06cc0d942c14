import { type RawBuilder, sql } from 'kysely';
import type { LifetimeFilter, Lifetimes } from '../../../application/ports/lifetimes.ts';
import { unknownCursor } from '../../../application/ports/page.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';

/** Lists that are ordered by name, ascending. The cursor may be any name. */
const BY_NAME: ReadonlySet<string> = new Set(['authz_policy', 'authz_subject']);

export const createLifetimes = (db: Sql): Lifetimes => ({
  alive: async (filter, then, { limit, after }) => {
    const byName = typeof filter.list === 'string' && BY_NAME.has(filter.list);
    const sort = after === undefined || byName ? after : await placeOf(db, filter, after);
    const beyond =
      sort === undefined ? sql`` : byName ? sql`and l.sort > ${sort}` : sql`and l.sort < ${sort}`;
    const matching = sql`from read.lifetime l where ${matches(filter)} and ${isAlive(then)}`;
    const { rows } = await sql<{ readonly id: string | null; readonly total: number }>`
      select page.id, counted.total from (select count(*) as total ${matching}) counted
      left join (
        select l.id, l.sort ${matching} ${beyond} order by l.sort ${sql.raw(byName ? 'asc' : 'desc')} limit ${limit + 1}
      ) page on true order by page.sort ${sql.raw(byName ? 'asc' : 'desc')} ${PREPARED}`.execute(db);
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    return { ids: ids.slice(0, limit), hasMore: ids.length > limit, total: rows[0]?.total ?? 0 };
  },
});

/** @throws DomainError invalid_cursor */
const placeOf = async (db: Sql, filter: LifetimeFilter, id: string): Promise<string> => {
  const { rows } = await sql<{ readonly sort: string }>`
    select l.sort from read.lifetime l where ${matches(filter)} and l.id = ${id} limit 1 ${PREPARED}`.execute(
    db,
  );
  if (rows[0] === undefined) throw unknownCursor(id);
  return rows[0].sort;
};

const matches = ({ tenant, list, owner, parent, ids, owners }: LifetimeFilter): RawBuilder<boolean> => {
  const conditions: readonly RawBuilder<unknown>[] = [
    sql`l.tenant = ${tenant}`,
    typeof list === 'string' ? sql`l.list = ${list}` : sql`l.list = any(${list}::text[])`,
    ...(owner === undefined ? [] : [sql`l.owner = ${owner}`]),
    ...(parent === undefined ? [] : [sql`l.parent = ${parent}`]),
    ...(ids === undefined ? [] : [sql`l.id = any(${ids}::text[])`]),
    ...(owners === undefined ? [] : [sql`l.owner = any(${owners}::text[])`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

const isAlive = (then: Parameters<Lifetimes['alive']>[1]): RawBuilder<boolean> =>
  'at' in then
    ? sql<boolean>`(l.born_at <= ${then.at} and (l.ended_at is null or l.ended_at > ${then.at}))`
    : sql<boolean>`(l.born <= ${then.position} and (l.ended is null or l.ended > ${then.position}))`;
