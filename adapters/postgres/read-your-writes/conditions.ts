import { type RawBuilder, sql } from 'kysely';

/**
 * Ids of the tenant's data sources whose deletion was accepted, as an array: hidden in the catalog, or with a tombstone
 * that the catalog does not hold yet. They are few: a finished deletion leaves no row. An array that is
 * computed once cannot mislead the planner, as an empty table that was never analysed does.
 */
export const hiddenDataSources = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select h.data_source_id from read.hidden_data_source h where h.tenant = ${tenant} and not h.deleted
  union all select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant})`;

/** Those of them with a tombstone alone: the catalog still has them in its index. */
export const dataSourcesHiddenSinceView = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant}
    and not exists (select from read.hidden_data_source h where h.data_source_id = w.data_source_id))`;

/** Ids of every tenant's data sources whose deletion was accepted: for work that is of no tenant. */
export const everyHiddenDataSource: RawBuilder<readonly string[]> = sql`array(
  select h.data_source_id from read.hidden_data_source h where not h.deleted
  union all select w.data_source_id from work.withheld_data_source w)`;

/** Numbers of every tenant's erased documents that the catalog still holds. */
export const everySourceTombstone: RawBuilder<readonly number[]> = sql`array(
  select s.no from work.withheld_source w join read.source s on s.id = w.source_id where s.revision < w.revision)`;

/** Numbers of the tenant's erased documents that the catalog still holds, as an array. */
export const sourceTombstones = (tenant: string): RawBuilder<readonly number[]> => sql`array(
  select s.no from work.withheld_source w join read.source s on s.id = w.source_id
  where w.tenant = ${tenant} and s.revision < w.revision)`;

/** Ids of the tenant's data sources with a tombstone, as an array: for views that project deletions themselves. */
export const dataSourceTombstones = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select w.data_source_id from work.withheld_data_source w where w.tenant = ${tenant})`;

/** The name of the data source `d` with its setting `s`, also before the view of settings holds it. */
export const currentName: RawBuilder<string | null> = sql`coalesce(s.name, (
  select m.doc->>'name' from work.row_mark m where m.view = 'ingestion_setting' and m.id = d.ingestion_setting_id))`;

/** Ids of the tenant's conversations that are gone, and that their view may still hold, as an array. */
export const removedConversations = (tenant: string): RawBuilder<readonly string[]> => sql`array(
  select m.id from work.row_mark m where m.tenant = ${tenant} and m.view = 'conversation' and m.doc is null)`;

/** Ids of the tenant's threads of agents that are gone, and of which the view may still hold something, as an array. */
export const removedThreads = (
  view: 'agent_thread' | 'agent_run',
  tenant: string,
): RawBuilder<readonly string[]> => sql`array(
  select m.id from work.row_mark m where m.tenant = ${tenant} and m.view = ${view} and m.doc is null)`;

/**
 * The status of a data source `d` as callers may see it: one with a tombstone is being deleted, even before its view
 * says so.
 */
export const currentStatus = (tenant: string): RawBuilder<string> => sql<string>`
  case when d.status <> 'delete_job_failure' and d.id = any(${dataSourceTombstones(tenant)}) then 'deleting'
    else d.status end`;
