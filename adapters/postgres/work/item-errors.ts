import { sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import type { ItemError } from '../../../application/ports/item-store.ts';
import type { Sql } from '../database-schema.ts';

/** See `ItemStore.errors`. What was indexed with something missing is listed too, and rows that were not read right. */
export const itemErrors = async (
  db: Sql,
  dataSourceId: string,
  { limit, after }: PageRequest,
): Promise<Page<ItemError>> => {
  const failed = sql`data_source_id = ${dataSourceId} and (outcome in ('failed', 'row_failed') or outcome in ('indexed', 'unchanged') and code is not null) and generation = (
    select max(generation) from work.unit where data_source_id = ${dataSourceId})`;
  if (after !== undefined && !(await isKnown(db, dataSourceId, after))) throw unknownCursor(after);
  const { rows } = await sql<ItemError>`
    select locator, code, message, visited_at as at, attempt from work.unit
    where ${failed} and locator > ${after ?? ''} order by locator limit ${limit + 1}`.execute(db);
  const total = await sql<{ n: number }>`select count(*) as n from work.unit where ${failed}`.execute(db);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total: total.rows[0]?.n ?? 0 };
};

/** Any item will do: one that failed when it was listed may have been read since. */
const isKnown = async (db: Sql, dataSourceId: string, locator: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from work.unit where data_source_id = ${dataSourceId} and locator = ${locator}`.execute(db);
  return rows.length > 0;
};
