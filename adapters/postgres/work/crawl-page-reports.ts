import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import type { ItemError } from '../../../application/ports/item-store.ts';

const newest = (dataSourceId: string) => sql`(
  select max(generation) from work.crawl_page where data_source_id = ${dataSourceId})`;

/** Pages of the newest generation that failed, or were indexed with something missing, by URL. */
export const pageErrors = async (
  db: Sql,
  dataSourceId: string,
  { limit, after }: PageRequest,
): Promise<Page<ItemError>> => {
  const failed = sql`data_source_id = ${dataSourceId} and (outcome = 'failed' or outcome in ('indexed', 'unchanged') and code is not null) and generation = ${newest(dataSourceId)}`;
  if (after !== undefined && !(await isKnown(db, dataSourceId, after))) throw unknownCursor(after);
  const { rows } = await sql<ItemError>`
    select url as locator, code, message, visited_at as at, attempt from work.crawl_page
    where ${failed} and url > ${after ?? ''} order by url limit ${limit + 1}`.execute(db);
  const total = await sql<{ n: number }>`select count(*) as n from work.crawl_page where ${failed}`.execute(
    db,
  );
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total: total.rows[0]?.n ?? 0 };
};

/** Any page will do: one that failed when it was listed may have been read since. */
const isKnown = async (db: Sql, dataSourceId: string, url: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from work.crawl_page where data_source_id = ${dataSourceId} and url = ${url}`.execute(db);
  return rows.length > 0;
};

export const robotsBlocked = async (
  db: Sql,
  dataSourceId: string,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ url: string }>`
    select url from work.crawl_page
    where data_source_id = ${dataSourceId} and outcome = 'robots' and generation = ${newest(dataSourceId)}
    order by url limit ${limit}`.execute(db);
  return rows.map(({ url }) => url);
};
