import type { Migration } from '../migrate.ts';
import type { CrawlRun, PageOfSource } from '../../../application/ports/crawl-frontier.ts';
import type { ItemError } from '../../../application/ports/item-store.ts';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { anyOf, type Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { NotNull } from 'kysely';

/** See `CrawlFrontier.unseen`. */
export const unseen = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  pass: 'complete' | 'partial',
  limit: number,
): Promise<readonly PageOfSource[]> => {
  return db
    .selectFrom('work.crawlPage')
    .select(['url', 'sourceId'])
    .$narrowType<{ sourceId: NotNull }>()
    .where('dataSourceId', '=', dataSourceId)
    .where('sourceId', 'is not', null)
    .where('sourceGeneration', '<', generation)
    .$if(pass === 'partial', (query) =>
      query.where('generation', '=', generation).where('outcome', 'is not', null),
    )
    .orderBy('url')
    .limit(limit)
    .execute();
};

/** See `CrawlFrontier.surplus`. Counts sources with readable content. */
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

/**
 * See `CrawlFrontier.orphans`. The catalog may lag behind, so the result may include sources that were just
 * removed.
 */
export const orphans = async (
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
        select from work.crawl_page failed_page join read.source failed_source on failed_source.id = failed_page.source_id
        where failed_page.data_source_id = ${dataSourceId} and failed_page.generation = ${generation}
          and failed_page.outcome = 'failed' and failed_source.indexed is not null
          and failed_page.links = '{}' -- its redirect target is unknown
      )
    order by s.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};

const NO_DOCUMENT = {
  sourceId: null,
  sourceGeneration: null,
  rawSha256: null,
  etag: null,
  lastModified: null,
  links: [],
} as const;

/** See `CrawlFrontier.forgetDocument`. */
export const forgetDocument = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  sourceId: string,
): Promise<void> => {
  await db
    .updateTable('work.crawlPage')
    .set(NO_DOCUMENT)
    .where('sourceId', '=', sourceId)
    .where('dataSourceId', '=', dataSourceId)
    .where('sourceGeneration', '<', generation)
    .execute();
};

/** See `CrawlFrontier.forget`. */
export const forget = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  urls: readonly string[],
): Promise<void> => {
  const matches = sql<boolean>`data_source_id = ${dataSourceId} and url = ${anyOf(urls, 'text')}`;
  await db.deleteFrom('work.crawlPage').where(matches).where('generation', '<', generation).execute();
  await db
    .updateTable('work.crawlPage')
    .set(NO_DOCUMENT)
    .where(matches)
    .where('generation', '=', generation)
    .execute();
};

/** `code` of a pending page whose canonical URL could not be read. */
export const IGNORES_CANONICAL = 'stands_alone';

/** The page is pending, and its last visit failed: only such a page keeps its message. */
export const FAILED_BEFORE = sql<boolean>`(outcome is null and message is not null and code <> ${IGNORES_CANONICAL})`;

const newest = (dataSourceId: string) => sql<number>`(
  select max(generation) from work.crawl_page where data_source_id = ${dataSourceId})`;

/** Pages of the newest generation that failed or were indexed incompletely, by URL. */
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

/** Any page is valid: one that failed when it was listed may have succeeded since. */
const isKnown = async (db: Sql, dataSourceId: string, url: string): Promise<boolean> => {
  const found = await db
    .selectFrom('work.crawlPage')
    .select('url')
    .where('dataSourceId', '=', dataSourceId)
    .where('url', '=', url)
    .executeTakeFirst();
  return found !== undefined;
};

export const robotsBlocked = async (
  db: Sql,
  dataSourceId: string,
  limit: number,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('work.crawlPage')
    .select('url')
    .where('dataSourceId', '=', dataSourceId)
    .where('outcome', '=', 'robots')
    .where('generation', '=', newest(dataSourceId))
    .orderBy('url')
    .limit(limit)
    .execute();
  return rows.map(({ url }) => url);
};

export const crawlMigrations: readonly Migration[] = [
  {
    id: 'work-crawl-text',
    // The hash of a page's text: a page under several URLs often differs in nonces of its markup.
    up: (execute) => execute('ALTER TABLE work.crawl_page ADD COLUMN text_sha256 text'),
  },
  {
    id: 'work-crawl-links',
    // Queries of links are now in the encoding of their page, where they were in UTF-8. Pages with such links are read
    // again by the next job, so that none keeps a link to the old spelling, whose document that job then removes.
    up: (execute) =>
      execute(`
        UPDATE work.crawl_page SET etag = NULL, last_modified = NULL, raw_sha256 = ''
        WHERE raw_sha256 IS NOT NULL AND array_to_string(links, ' ') ~ '[?][^ ]*%[89A-Fa-f]'`),
  },
];
