import { type RawBuilder, sql } from 'kysely';
import type { UnchangedRest, ItemRun } from '../../../application/ports/item-store.ts';
import type { Sql } from '../database-schema.ts';
import { moveListing } from './listing-state.ts';

/** The document was taken out since the item was visited, so its stored state is invalid. */
export const TAKEN_OUT = sql<boolean>`exists (
  select from work.withheld_source w where w.source_id = u.source_id and u.generation < w.generation)`;

/** The stored state of the item is not sufficient: it failed, it is incomplete, or it is invalid. */
const needsVisit = (rulesChangedAt: number): RawBuilder<boolean> => sql<boolean>`(
  u.outcome = 'failed' or u.fingerprint is null or u.outcome in ('indexed', 'unchanged') and u.code is not null
  or u.visited_at < ${rulesChangedAt} or ${TAKEN_OUT})`;

/** See `ItemStore.markAllUnchanged`. */
export const markAllUnchanged = async (
  trx: Sql,
  { dataSourceId, generation, rulesChangedAt }: ItemRun,
  at: number,
): Promise<boolean> => {
  const { rows } = await sql<{ readonly pending: boolean }>`
    select mark is null or mark_generation >= ${generation} or exists (
      select from work.unit u
      where u.data_source_id = l.data_source_id
        and (u.generation <> l.mark_generation or ${needsVisit(rulesChangedAt)})) as pending
    from work.unit_listing l where l.data_source_id = ${dataSourceId}`.execute(trx);
  if (rows[0]?.pending !== false) return false;
  await trx
    .updateTable('work.unit')
    .set(touched(generation, at))
    .where('dataSourceId', '=', dataSourceId)
    .execute();
  await trx
    .updateTable('work.unitListing')
    .set({ generation, markGeneration: generation, cursor: null, complete: true })
    .where('dataSourceId', '=', dataSourceId)
    .execute();
  return true;
};

/** See `ItemStore.pending`. If rows of an item failed, the item is pending: rows are not items themselves. */
export const pending = async (
  db: Sql,
  run: ItemRun,
  except: ReadonlySet<string>,
  limit: number,
): Promise<readonly string[]> => {
  const { dataSourceId, rulesChangedAt } = run;
  const { rows } = await sql<{ locator: string }>`
    select u.locator from work.unit u
    where ${isRest(run, except)} and (${needsVisit(rulesChangedAt)} or (u.locator, u.generation) in (
      select regexp_replace(r.locator, '#row=[0-9]+$', ''), r.generation from work.unit r
      where r.data_source_id = ${dataSourceId} and r.outcome = 'row_failed'))
    order by u.locator limit ${limit}`.execute(db);
  return rows.map(({ locator }) => locator);
};

/** See `ItemStore.markRestUnchanged`. */
export const markRestUnchanged = async (
  trx: Sql,
  run: ItemRun,
  { except, syncToken }: UnchangedRest,
  at: number,
): Promise<boolean> => {
  if ((await pending(trx, run, except, 1)).length > 0) return false;
  await trx
    .updateTable('work.unit as u')
    .set(touched(run.generation, at))
    .where(isRest(run, except))
    .execute();
  await moveListing(trx, run, { cursor: null, complete: true, syncToken });
  return true;
};

const touched = (generation: number, at: number) => ({
  generation,
  bytes: 0,
  visitedAt: at,
  attempt: 1,
  outcome: sql<string>`case when outcome = 'skipped' then outcome else 'unchanged' end`,
});

/**
 * The unvisited items of the listing that left the sync token. An older item is deleted, and its sweep was
 * interrupted.
 */
const isRest = ({ dataSourceId, generation }: ItemRun, except: ReadonlySet<string>): RawBuilder<boolean> =>
  sql<boolean>`u.data_source_id = ${dataSourceId} and u.generation < ${generation} and u.outcome <> 'row_failed'
    and u.generation >= coalesce(
      (select l.mark_generation from work.unit_listing l where l.data_source_id = ${dataSourceId}), 0)
    and u.locator not in (select unnest(${[...except]}::text[]))`;
