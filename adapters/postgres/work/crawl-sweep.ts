import type { CrawlRun, PageOfSource } from '../../../application/ports/crawl-frontier.ts';
import type { ItemError } from '../../../application/ports/item-store.ts';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';

/** See `CrawlFrontier.unseen`. */
export const unseen = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  pass: 'whole' | 'cut',
  limit: number,
): Promise<readonly PageOfSource[]> => {
  const { rows } = await sql<PageOfSource>`
    select url, source_id from work.crawl_page
    where data_source_id = ${dataSourceId} and source_id is not null and source_generation < ${generation}
      and (${pass === 'whole'} or (generation = ${generation} and outcome is not null))
    order by url limit ${limit}`.execute(db);
  return rows;
};

/** See `CrawlFrontier.surplus`. Counted are sources of which something is readable. */
export const surplus = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  most: number,
  limit: number,
): Promise<readonly PageOfSource[]> => {
  const readable = sql`data_source_id = ${dataSourceId} and source_id is not null and raw_sha256 is not null`;
  const { rows } = await sql<PageOfSource>`
    select url, source_id from work.crawl_page
    where ${readable} and source_generation < ${generation}
    order by source_generation, no desc
    limit least(${limit}::bigint, greatest(0, (select count(*) from work.crawl_page where ${readable}) - ${most}))`.execute(
    db,
  );
  return rows;
};

/** See `CrawlFrontier.strays`. The catalog may lag behind: what was removed just now may still be answered. */
export const strays = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  after: string | null,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select s.id from read.source s
    where s.data_source_id = ${dataSourceId} and s.status <> 'removed'
      and (${after}::uuid is null or s.id > ${after}::uuid)
      and not exists (
        select from work.crawl_page p where p.data_source_id = s.data_source_id and p.source_id = s.id)
      and not exists (
        select from work.crawl_page f join read.source was on was.id = f.source_id
        where f.data_source_id = ${dataSourceId} and f.generation = ${generation} and f.outcome = 'failed'
          and f.links = '{}' and was.indexed is not null)
    order by s.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};

const UNKNOWN = sql`source_id = null, source_generation = null, raw_sha256 = null, etag = null, last_modified = null,
  links = '{}'`;

/** See `CrawlFrontier.forgetDocument`. */
export const forgetDocument = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  sourceId: string,
): Promise<void> => {
  await sql`update work.crawl_page set ${UNKNOWN}
    where source_id = ${sourceId} and data_source_id = ${dataSourceId} and source_generation < ${generation}`.execute(
    db,
  );
};

/** See `CrawlFrontier.forget`. */
export const forget = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  urls: readonly string[],
): Promise<void> => {
  const named = sql`data_source_id = ${dataSourceId} and url = any(${urls}::text[])`;
  await sql`delete from work.crawl_page where ${named} and generation < ${generation}`.execute(db);
  await sql`
    update work.crawl_page set ${UNKNOWN}
    where ${named} and generation = ${generation}`.execute(db);
};

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
