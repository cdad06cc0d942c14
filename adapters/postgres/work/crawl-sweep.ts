import { type Kysely, sql } from 'kysely';
import type { CrawlRun, PageOfSource } from '../../../application/ports/crawl-frontier.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the tables are named in the statements
type Db = Kysely<any>;

/** See `CrawlFrontier.unseen`. */
export const unseen = async (
  db: Db,
  { data_source_id, generation }: CrawlRun,
  pass: 'whole' | 'cut',
  limit: number,
): Promise<readonly PageOfSource[]> => {
  const { rows } = await sql<PageOfSource>`
    select url, source_id from work.crawl_page
    where data_source_id = ${data_source_id} and source_id is not null and source_generation < ${generation}
      and (${pass === 'whole'} or (generation = ${generation} and outcome is not null))
    order by url limit ${limit}`.execute(db);
  return rows;
};

/** See `CrawlFrontier.surplus`. Counted are sources of which something is readable. */
export const surplus = async (
  db: Db,
  { data_source_id, generation }: CrawlRun,
  most: number,
  limit: number,
): Promise<readonly PageOfSource[]> => {
  const readable = sql`data_source_id = ${data_source_id} and source_id is not null and raw_sha256 is not null`;
  const { rows } = await sql<PageOfSource>`
    select url, source_id from work.crawl_page
    where ${readable} and source_generation < ${generation}
    order by source_generation, no desc
    limit least(${limit}::bigint, greatest(0, (select count(*) from work.crawl_page where ${readable}) - ${most}))`.execute(
    db,
  );
  return rows;
};

/** See `CrawlFrontier.forget`. */
export const forget = async (
  db: Db,
  { data_source_id, generation }: CrawlRun,
  urls: readonly string[],
): Promise<void> => {
  const named = sql`data_source_id = ${data_source_id} and url = any(${urls}::text[])`;
  await sql`delete from work.crawl_page where ${named} and generation < ${generation}`.execute(db);
  await sql`
    update work.crawl_page set source_id = null, source_generation = null, raw_sha256 = null, etag = null,
      last_modified = null, links = '{}'
    where ${named} and generation = ${generation}`.execute(db);
};
