import type {
  ItemError,
  ItemOutcome,
  ItemRun,
  ItemStore,
  KnownItem,
  VisitedItem,
} from '../../../application/ports/item-store.ts';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import type { JobCounts } from '../../../domain/data-source/index.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { PostgresDatabase } from '../connection.ts';
import { anyOf, type Sql } from '../database-schema.ts';
import { type RecentlyUsed, createRecentlyUsed } from '../../../application/event-sourcing/recently-used.ts';
import { withCommit } from '../transaction.ts';
import { listing, moveListing } from './listing-state.ts';
import { TAKEN_OUT, pending, markAllUnchanged, markRestUnchanged } from './untouched-items.ts';
import { sql } from 'kysely';
import type { NotNull } from 'kysely';

/** Each report of an executor is a heartbeat, many a second: those in between would only be written. */
const HEARTBEAT_MS = 5_000;
/** Data sources whose last heartbeat is remembered. */
const HEARD = 1_000;

/** One row per item and data source. */
export const createItemStore = (
  { db, transact }: Pick<PostgresDatabase, 'db' | 'transact'>,
  heard: RecentlyUsed<number> = createRecentlyUsed(HEARD),
): ItemStore => ({
  listing: (run) => listing(db, run),
  known: (run, locators) => known(db, run, locators),
  commit: (run, visited, state) =>
    transact(async (trx) => {
      await record(trx, run, visited);
      if (state !== undefined) await moveListing(trx, run, state);
    }),
  commitVersion: (run, locator, visited) =>
    transact(async (trx) => {
      const prefix = `${locator}#row=`;
      await withCommit(trx)(sql`
        delete from work.unit
        where data_source_id = ${run.dataSourceId} and outcome = 'row_failed' and starts_with(locator, ${prefix})
          and substr(locator, char_length(${prefix}::text) + 1) ~ '^[0-9]+$'`);
      await record(trx, run, visited);
    }),
  markAllUnchanged: (run, at) => db.transaction().execute((trx) => markAllUnchanged(trx, run, at)),
  pending: (run, except, limit) => pending(db, run, except, limit),
  markRestUnchanged: (run, rest, at) =>
    db.transaction().execute((trx) => markRestUnchanged(trx, run, rest, at)),
  recordHeartbeat: async ({ dataSourceId, generation }, at) => {
    if (Math.abs(at - (heard.get(dataSourceId) ?? -HEARTBEAT_MS)) < HEARTBEAT_MS) return;
    heard.put(dataSourceId, at);
    await db
      .insertInto('work.unitListing')
      .values({ dataSourceId, generation, complete: false, heardAt: at })
      .onConflict((conflict) =>
        conflict
          .column('dataSourceId')
          .doUpdateSet({ heardAt: sql<number>`greatest(unit_listing.heard_at, excluded.heard_at)` }),
      )
      .execute();
  },
  lastHeartbeat: async (dataSourceId) => {
    const found = await db
      .selectFrom('work.unitListing')
      .select('heardAt')
      .where('dataSourceId', '=', dataSourceId)
      .executeTakeFirst();
    return found?.heardAt ?? 0;
  },
  counts: (run) => counts(db, run),
  unseen: async ({ dataSourceId, generation }, limit) => {
    return db
      .selectFrom('work.unit')
      .select(['locator', 'sourceId'])
      .$narrowType<{ sourceId: NotNull }>()
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '<', generation)
      .where('sourceId', 'is not', null)
      .orderBy('locator')
      .limit(limit)
      .execute();
  },
  orphans: async ({ dataSourceId }, after, limit) => {
    const { rows } = await sql<{ id: string }>`
      select s.id from read.source s
      where s.data_source_id = ${dataSourceId} and s.status <> 'removed'
        and (${after}::uuid is null or s.id > ${after}::uuid)
        and not exists (
          select from work.unit u where u.data_source_id = s.data_source_id and u.source_id = s.id)
      order by s.id limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  },
  forget: async ({ dataSourceId, generation }, locators) => {
    await db
      .deleteFrom('work.unit')
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '<', generation)
      .where('locator', '=', anyOf(locators, 'text'))
      .execute();
  },
  forgetDocument: async ({ dataSourceId, generation }, sourceId) => {
    await db
      .updateTable('work.unit')
      .set({ fingerprint: null })
      .where('sourceId', '=', sourceId)
      .where('dataSourceId', '=', dataSourceId)
      .where('generation', '<', generation)
      .execute();
  },
  purge: (dataSourceId) =>
    db.transaction().execute(async (trx) => {
      await trx.deleteFrom('work.unit').where('dataSourceId', '=', dataSourceId).execute();
      await trx.deleteFrom('work.unitListing').where('dataSourceId', '=', dataSourceId).execute();
    }),
  errors: (dataSourceId, page, which) => itemErrors(db, dataSourceId, page, which === 'and skipped'),
});

interface KnownRow {
  readonly locator: string;
  readonly seen: boolean;
  readonly outcome: ItemOutcome;
  readonly fingerprint: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

const known = async (
  db: Sql,
  { dataSourceId, generation, rulesChangedAt }: ItemRun,
  locators: readonly string[],
): Promise<ReadonlyMap<string, KnownItem>> => {
  const { rows } = await sql<KnownRow>`
    select locator, generation >= ${generation} as seen, outcome, code, message,
      case when ${TAKEN_OUT} or visited_at < ${rulesChangedAt} then null else fingerprint end as fingerprint
    from work.unit u
    where data_source_id = ${dataSourceId} and locator = any(${locators}::text[])`.execute(db);
  return new Map(
    rows.map(({ locator, seen, outcome, fingerprint, code, message }) => [
      locator,
      {
        seen,
        fingerprint,
        failed: outcome === 'failed',
        skipped: outcome === 'skipped' ? { code: code ?? '', message: message ?? '' } : null,
      },
    ]),
  );
};

const record = async (
  trx: Sql,
  { dataSourceId, generation }: ItemRun,
  visited: readonly VisitedItem[],
): Promise<void> => {
  const gone = visited.filter(({ outcome }) => outcome === 'gone').map(({ locator }) => locator);
  if (gone.length > 0)
    await withCommit(trx)(sql`
    delete from work.unit
    where data_source_id = ${dataSourceId} and locator = any(${gone}::text[])`);
  const present = visited.filter(({ outcome }) => outcome !== 'gone');
  if (present.length === 0) return;
  await withCommit(trx)(sql`
    insert into work.unit as u (data_source_id, locator, generation, outcome, source_id, fingerprint, code, message,
      bytes, visited_at, attempt)
    select ${dataSourceId}::uuid, locator, ${generation}::integer, outcome, source_id, fingerprint, code, message,
      bytes, at, attempt
    from jsonb_to_recordset(${JSON.stringify(snakeKeys(present))}::jsonb) as r(locator text, outcome text, source_id uuid,
      fingerprint text, code text, message text, bytes bigint, at bigint, attempt integer)
    on conflict (data_source_id, locator) do update
      set generation = excluded.generation, outcome = excluded.outcome, source_id = excluded.source_id,
        fingerprint = case when excluded.outcome = 'failed' then u.fingerprint else excluded.fingerprint end,
        code = excluded.code, message = excluded.message, bytes = excluded.bytes, visited_at = excluded.visited_at, attempt = excluded.attempt
      where u.generation <= excluded.generation
        and (excluded.outcome <> 'row_failed' or u.outcome = 'row_failed')`);
};

const counts = async (db: Sql, { dataSourceId, generation }: ItemRun): Promise<JobCounts> => {
  const { rows } = await sql<Omit<JobCounts, 'seen'>>`
    select count(*) filter (where outcome = 'indexed') as indexed,
      count(*) filter (where outcome = 'unchanged') as unchanged,
      count(*) filter (where outcome = 'skipped') as skipped,
      count(*) filter (where outcome = 'failed') as failed,
      coalesce(sum(bytes), 0)::bigint as bytes
    from work.unit where data_source_id = ${dataSourceId} and generation = ${generation}`.execute(db);
  const { indexed, unchanged, skipped, failed, bytes } = rows[0]!;
  return { seen: indexed + unchanged + skipped + failed, indexed, unchanged, skipped, failed, bytes };
};

/** See `ItemStore.errors`. Also lists items that were indexed incompletely, and rows that failed. */
const itemErrors = async (
  db: Sql,
  dataSourceId: string,
  { limit, after }: PageRequest,
  andSkipped: boolean,
): Promise<Page<ItemError>> => {
  const failed = sql`data_source_id = ${dataSourceId} and (outcome in ('failed', 'row_failed') or ${andSkipped} and outcome = 'skipped' or outcome in ('indexed', 'unchanged') and code is not null) and generation = (
    select max(generation) from work.unit where data_source_id = ${dataSourceId})`;
  if (after !== undefined && !(await isKnown(db, dataSourceId, after))) throw unknownCursor(after);
  const { rows } = await sql<ItemError>`
    select locator, code, message, visited_at as at, attempt from work.unit
    where ${failed} and locator > ${after ?? ''} order by locator limit ${limit + 1}`.execute(db);
  const total = await sql<{ n: number }>`select count(*) as n from work.unit where ${failed}`.execute(db);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total: total.rows[0]?.n ?? 0 };
};

/** Any item is valid: one that failed when it was listed may have succeeded since. */
const isKnown = async (db: Sql, dataSourceId: string, locator: string): Promise<boolean> => {
  const found = await db
    .selectFrom('work.unit')
    .select('locator')
    .where('dataSourceId', '=', dataSourceId)
    .where('locator', '=', locator)
    .executeTakeFirst();
  return found !== undefined;
};
