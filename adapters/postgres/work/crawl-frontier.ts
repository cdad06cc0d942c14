import type {
  AdmittedPage,
  CrawlFrontier,
  CrawlRun,
  PendingPage,
  VisitedPage,
} from '../../../application/ports/crawl-frontier.ts';
import type { PartialRead } from '../../../application/ports/document-reader.ts';
import type { JobCounts } from '../../../domain/data-source/index.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { PostgresDatabase } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import {
  IGNORES_CANONICAL,
  forget,
  forgetDocument,
  pageErrors,
  robotsBlocked,
  orphans,
  surplus,
  unseen,
} from './crawl-sweep.ts';
import { sql } from 'kysely';

/** One row per page and data source; `generation` is the job for which it is pending or was visited. */
export const createCrawlFrontier = ({
  db,
  transact,
}: Pick<PostgresDatabase, 'db' | 'transact'>): CrawlFrontier => ({
  admit: async (run, pages) => {
    await admit(db, run, pages);
  },
  admitKnown: async ({ dataSourceId, generation }) => {
    await db
      .updateTable('work.crawlPage as p')
      .set({ generation, outcome: null, message: MESSAGE_WHILE_PENDING })
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '<', generation)
      .where('sourceId', 'is not', null)
      .execute();
  },
  pending: (run, limit, except) => pending(db, run, limit, except),
  commit: (run, visited, admitted) =>
    transact(async (trx) => {
      // Batches of one crawl write the same rows in any order: run them one after the other to avoid
      // deadlocks.
      await withCommit(trx)(sql`select pg_advisory_xact_lock(hashtextextended(${run.dataSourceId}, 0))`);
      await record(trx, run, visited);
      return admit(trx, run, admitted);
    }),
  requeueDuplicates: (run) => requeueDuplicates(db, run),
  redirectOf: ({ dataSourceId, generation }, url) => redirectOf(db, dataSourceId, url, generation),
  lastRedirectOf: (dataSourceId, url) => redirectOf(db, dataSourceId, url),
  documents: async (dataSourceId) => {
    const rows = await db
      .selectFrom('work.crawlPage')
      .select('url')
      .where('dataSourceId', '=', dataSourceId)
      .where('sourceId', 'is not', null)
      .orderBy('url')
      .execute();
    return rows.map(({ url }) => url);
  },
  documentsAt: async (dataSourceId, urls) => {
    const { rows } = await sql<{ url: string; sha256: string }>`
      select url, coalesce(text_sha256, raw_sha256) as sha256 from work.crawl_page
      where data_source_id = ${dataSourceId} and url = any(${urls}::text[])
        and source_id is not null and raw_sha256 is not null`.execute(db);
    return rows;
  },
  // Of a page that is gone, a failed visit names no source.
  lost: async ({ dataSourceId, generation }) => {
    const { n } = await db
      .selectFrom('work.crawlPage')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '=', generation)
      .where('outcome', '=', 'failed')
      .where('sourceGeneration', '=', generation)
      .executeTakeFirstOrThrow();
    return n;
  },
  counts: (run) => counts(db, run),
  admitted: async ({ dataSourceId, generation }) => {
    const { n } = await db
      .selectFrom('work.crawlPage')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow();
    return n;
  },
  unseen: (run, pass, limit) => unseen(db, run, pass, limit),
  surplus: (run, most, limit) => surplus(db, run, most, limit),
  orphans: (run, after, limit) => orphans(db, run, after, limit),
  forget: (run, urls) => forget(db, run, urls),
  forgetDocument: (run, sourceId) => forgetDocument(db, run, sourceId),
  purge: async (dataSourceId) => {
    await db.deleteFrom('work.crawlPage').where('dataSourceId', '=', dataSourceId).execute();
  },
  errors: (dataSourceId, page) => pageErrors(db, dataSourceId, page),
  robotsBlocked: (dataSourceId, limit) => robotsBlocked(db, dataSourceId, limit),
});

const redirectOf = async (
  db: Sql,
  dataSourceId: string,
  url: string,
  generation?: number,
): Promise<string | null> => {
  const found = await db
    .selectFrom('work.crawlPage')
    .select('message')
    .where('dataSourceId', '=', dataSourceId)
    .where('url', '=', url)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation!))
    .where('code', '=', 'redirected')
    .executeTakeFirst();
  return found?.message ?? null;
};

/** See `FAILED_BEFORE`. */
const MESSAGE_WHILE_PENDING = sql<string | null>`case
  when p.outcome = 'failed' or p.outcome is null and p.code <> ${IGNORES_CANONICAL} then p.message end`;

/** Makes pages of earlier generations pending again; pages of this one stay unchanged. */
const admit = async (
  db: Sql,
  { dataSourceId, generation }: CrawlRun,
  pages: readonly AdmittedPage[],
): Promise<readonly AdmittedPage[]> => {
  if (pages.length === 0) return [];
  const { rows } = await sql<AdmittedPage>`
    insert into work.crawl_page as p (data_source_id, url, generation, depth)
    select ${dataSourceId}::uuid, url, ${generation}::integer, min(depth)
    from jsonb_to_recordset(${JSON.stringify(snakeKeys(pages))}::jsonb) as r(url text, depth integer)
    group by url order by min(depth), url
    on conflict (data_source_id, url) do update
      set generation = excluded.generation, depth = excluded.depth, outcome = null, message = ${MESSAGE_WHILE_PENDING}
      where p.generation < excluded.generation
    returning url, depth`.execute(db);
  return rows;
};

interface PendingRow {
  readonly url: string;
  readonly depth: number;
  readonly sourceId: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly rawSha256: string | null;
  readonly links: readonly string[];
  readonly code: string | null;
}

/** `code` of a page that another read would not complete. */
const COMPLETE: ReadonlySet<string> = new Set<PartialRead['code']>(['partly_read', 'no_text']);

/** The document was taken out since the page was visited, so its stored state is invalid. */
const TAKEN_OUT = sql<boolean>`exists (
  select from work.withheld_source w where w.source_id = p.source_id and p.source_generation < w.generation)`;

const pending = async (
  db: Sql,
  { dataSourceId, generation, rulesChangedAt = 0 }: CrawlRun,
  limit: number,
  except: readonly string[],
): Promise<readonly PendingPage[]> => {
  const { rows } = await sql<PendingRow>`
    select url, depth, case when ${TAKEN_OUT} or visited_at < ${rulesChangedAt} then null else source_id end as source_id,
      etag, last_modified, raw_sha256, links, code from work.crawl_page p
    where data_source_id = ${dataSourceId} and generation = ${generation} and outcome is null
      and url <> all(${except}::text[])
    order by depth, no limit ${limit}`.execute(db);
  return rows.map(({ url, depth, sourceId, rawSha256, etag, lastModified, links, code }) => ({
    url,
    depth,
    links,
    ...(code === IGNORES_CANONICAL && { ignoresCanonical: true }),
    ...(sourceId !== null &&
      rawSha256 !== null && {
        known: { etag, lastModified, rawSha256, failed: code !== null && !COMPLETE.has(code) },
      }),
  }));
};

/** A failed visit keeps the result of the last successful one; a skipped page loses its source. */
const record = async (
  trx: Sql,
  { dataSourceId, generation }: CrawlRun,
  visited: readonly VisitedPage[],
): Promise<void> => {
  if (visited.length === 0) return;
  await withCommit(trx)(sql`
    insert into work.crawl_page as p (data_source_id, url, generation, depth, outcome, source_id, source_generation,
      code, message, bytes, etag, last_modified, raw_sha256, text_sha256, links, visited_at, attempt)
    select ${dataSourceId}::uuid, url, ${generation}::integer, 0, outcome, source_id,
      case when source_id is not null then ${generation}::integer end, code, message, bytes, etag, last_modified, raw_sha256, text_sha256, array(select jsonb_array_elements_text(links)), at, attempt
    from jsonb_to_recordset(${JSON.stringify(snakeKeys(visited))}::jsonb) as r(url text, outcome text, source_id uuid, code text,
      message text, bytes bigint, etag text, last_modified text, raw_sha256 text, text_sha256 text, links jsonb, at bigint, attempt integer)
    on conflict (data_source_id, url) do update set
      generation = excluded.generation, outcome = excluded.outcome, code = excluded.code, message = excluded.message,
      visited_at = excluded.visited_at, attempt = excluded.attempt,
      source_id = coalesce(excluded.source_id, p.source_id), text_sha256 = coalesce(excluded.text_sha256, p.text_sha256),
      source_generation = coalesce(excluded.source_generation, p.source_generation),
      bytes = case when excluded.raw_sha256 is null then p.bytes else excluded.bytes end,
      etag = case when excluded.raw_sha256 is null then p.etag else excluded.etag end,
      last_modified = case when excluded.raw_sha256 is null then p.last_modified else excluded.last_modified end,
      raw_sha256 = case when excluded.outcome = 'skipped' then null
        else coalesce(excluded.raw_sha256, p.raw_sha256) end,
      links = case when excluded.outcome in ('failed', 'robots') then p.links else excluded.links end`);
};

const counts = async (db: Sql, { dataSourceId, generation }: CrawlRun): Promise<JobCounts> => {
  const { rows } = await sql<JobCounts>`
    select count(*) as seen,
      count(*) filter (where outcome = 'indexed') as indexed,
      count(*) filter (where outcome = 'unchanged') as unchanged,
      count(*) filter (where outcome in ('skipped', 'robots')) as skipped,
      count(*) filter (where outcome = 'failed') as failed,
      coalesce(sum(bytes) filter (where outcome in ('indexed', 'unchanged')), 0)::bigint as bytes
    from work.crawl_page
    where data_source_id = ${dataSourceId} and generation = ${generation} and outcome is not null`.execute(
    db,
  );
  return rows[0] as JobCounts;
};

/**
 * See `CrawlFrontier.requeueDuplicates`. Other pages with the same canonical URL become duplicates of the
 * page that is pending again. Two pages that name each other are both pending, since neither represents the
 * other.
 */
const requeueDuplicates = async (db: Sql, { dataSourceId, generation }: CrawlRun): Promise<number> => {
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
      code = case when lost.url = lost.first then ${IGNORES_CANONICAL} else p.code end,
      message = lost.first
    from lost where p.data_source_id = ${dataSourceId} and p.url = lost.url
    returning lost.url = lost.first as stands`.execute(db);
  return rows.filter(({ stands }) => stands).length;
};
