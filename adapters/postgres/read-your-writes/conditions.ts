import { type RawBuilder, sql } from 'kysely';

/**
 * Condition that an array, which is computed once per statement, does not contain the value, which is never
 * NULL. The planner takes it to hold for nearly all rows. It takes `<> all` of an array that it does not know
 * to hold for nearly none where few values are common, and would read and sort all rows for one page.
 */
export const notAmong = (
  array: RawBuilder<readonly unknown[]>,
  value: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(not ${array} @> array[${value}])`;

/**
 * Ids of the tenant's data sources whose deletion was accepted, as an array: hidden in the catalog, or with a
 * tombstone that the catalog does not contain yet. They are few, because a finished deletion leaves no row.
 */
export const hiddenDataSources = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select h.data_source_id from read.hidden_data_source h where h.tenant = ${tenant} and not h.deleted
  union all select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant})`;

/** The hidden data sources that have only a tombstone: the catalog still indexes them. */
export const dataSourcesHiddenSinceView = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant}
    and not exists (select from read.hidden_data_source h where h.data_source_id = w.data_source_id))`;

/** Ids of every tenant's data sources whose deletion was accepted, for work across tenants. */
export const everyHiddenDataSource: RawBuilder<readonly string[]> = sql`array(
  select h.data_source_id from read.hidden_data_source h where not h.deleted
  union all select w.data_source_id from work.withheld_data_source w)`;

/** Row numbers of every tenant's erased documents that the catalog still contains. */
export const everySourceTombstone: RawBuilder<readonly number[]> = sql`array(
  select s.no from work.withheld_source w join read.source s on s.id = w.source_id where s.revision < w.revision)`;

/** Row numbers of the tenant's erased documents that the catalog still contains, as an array. */
export const sourceTombstones = (tenant: string): RawBuilder<readonly number[]> => sql`array(
  select s.no from work.withheld_source w join read.source s on s.id = w.source_id
  where w.tenant = ${tenant} and s.revision < w.revision)`;

/**
 * Ids of the tenant's data sources with a tombstone, as an array, for views that project deletions
 * themselves.
 */
export const dataSourceTombstones = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant})`;

const UNDER_WAY = ['queued', 'starting', 'started', 'canceling', 'deleting', 'managed', 'unknown'];

/**
 * Condition that no job of the data source `d` is queued or running. A managed push writes only under the
 * lease of the eraser, and may stay in progress forever.
 */
export const noJobUnderWay: RawBuilder<boolean> = sql<boolean>`(d.status not in (${sql.join(UNDER_WAY)})
  or d.kind = 'push' and d.status in ('managed', 'unknown', 'canceling'))`;

/** The name of the data source `d` with its setting `s`, even before the view of settings contains it. */
export const currentName: RawBuilder<string | null> = sql`coalesce(s.name, (
  select m.doc->>'name' from work.row_mark m where m.view = 'ingestion_setting' and m.id = d.ingestion_setting_id))`;

/** Ids of the tenant's deleted conversations that their view may still contain, as an array. */
export const removedConversations = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select m.id from work.row_mark m where m.tenant = ${tenant} and m.view = 'conversation' and m.doc is null)`;

/** Ids of the tenant's deleted agent threads that the view may still contain, as an array. */
export const removedThreads = (
  view: 'agent_thread' | 'agent_run',
  tenant: string,
): RawBuilder<readonly string[]> => sql`array(
  select m.id from work.row_mark m where m.tenant = ${tenant} and m.view = ${view} and m.doc is null)`;

/**
 * The status of a data source `d` as callers may see it: a data source with a tombstone is being deleted,
 * even before its view says so.
 */
export const currentStatus = (tenant: string): RawBuilder<string> => sql<string>`
  case when d.status <> 'delete_job_failure' and d.id = any(${dataSourceTombstones(tenant)}) then 'deleting'
    else d.status end`;
