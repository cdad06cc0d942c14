import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { CrawlRun, PageOfSource } from '../../../application/ports/crawl-frontier.ts';

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
