import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { CrawlRun } from '../../../application/ports/crawl-frontier.ts';

/** `code` of an owed page whose canonical URL led to nothing. */
export const STANDS_ALONE = 'stands_alone';

/**
 * See `CrawlFrontier.returnDuplicates`. The others of the same canonical URL become duplicates of the one that is owed
 * again; two pages that name each other are both owed, since neither stands for the other.
 */
export const returnDuplicates = async (db: Sql, { dataSourceId, generation }: CrawlRun): Promise<number> => {
  const { rows } = await sql<{ stands: boolean }>`
    with lost as (
      select p.url, min(p.url) over (partition by p.message) as first from work.crawl_page p
      where p.data_source_id = ${dataSourceId} and p.generation = ${generation} and p.code = 'duplicate'
        and not exists (
          select from work.crawl_page c
          where c.data_source_id = p.data_source_id and c.url = p.message and c.generation = p.generation
            and (c.raw_sha256 is not null or c.code = 'redirected'
              or (c.code = 'duplicate' and c.message <> p.url))))
    update work.crawl_page p set
      outcome = case when lost.url = lost.first then null else p.outcome end,
      code = case when lost.url = lost.first then ${STANDS_ALONE} else p.code end,
      message = lost.first
    from lost where p.data_source_id = ${dataSourceId} and p.url = lost.url
    returning lost.url = lost.first as stands`.execute(db);
  return rows.filter(({ stands }) => stands).length;
};
