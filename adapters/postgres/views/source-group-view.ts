import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type {
  Holding,
  SourceGroupFilter,
  SourceGroupRecord,
  SourceGroupSort,
  SourceGroupView,
} from '../../../application/ports/source-group-view.ts';
import { storable } from '../../../domain/filter/value.ts';
import { countOf, pageOf, cursorRow } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { seenContent, seenSource, uuids } from '../catalog/conditions.ts';
import { failedItems } from './failed-items.ts';
import {
  hiddenDataSources,
  currentName,
  currentStatus,
  dataSourceTombstones,
  sourceTombstones,
} from '../read-your-writes/conditions.ts';

/** Joins the rows of four views about a data source. */
export const createSourceGroupView = (db: Sql): SourceGroupView => ({
  get: async (scope, id) =>
    (await groups(db, scope, sql<boolean>`d.id = ${id}`, ORDERS.newest.by, 1))[0] ?? null,

  list: (scope, page, filter = {}, sort = 'newest') =>
    readSnapshot(db, async (trx) => {
      const order = ORDERS[sort];
      const known = (id: string) => sql<Place>`
      select d.id, ${NAME} as name from ${DATA_SOURCES} where d.id = ${id} and ${within(scope)}
        and ${sort === 'name' ? sql`d.status <> 'removed'` : sql`true`}`;
      const cursor = await cursorRow(trx, page.after, known);
      const after = cursor === null ? sql<boolean>`true` : order.after(cursor);
      const fitting = passes(scope.tenant, filter);
      const found = await groups(
        trx,
        scope,
        sql<boolean>`${after} and ${fitting ?? sql`true`}`,
        order.by,
        page.limit + 1,
      );
      return pageOf(found, page, await countOf(trx, total(scope, fitting)));
    }),

  holdings: async (scope) => {
    const { rows } = await sql<Holding>`
      select d.kind, count(*) as group_count, count(*) filter (where ${SYNCED} is null) as never_synced,
        coalesce(sum(n.sources), 0)::bigint as source_count, coalesce(sum(n.contents), 0)::bigint as content_count,
        ${scope.access === null ? sql`coalesce(sum(n.bytes), 0)::bigint` : sql`null`} as bytes,
        max(${SYNCED}) as newest_sync_at, min(${SYNCED}) as oldest_sync_at
      from ${DATA_SOURCES} left join lateral (${counts(scope)}) n on true
      where ${within(scope)} and d.status <> 'removed'
      group by d.kind order by d.kind`.execute(db);
    return rows;
  },

  failedItems: (scope, page, filter) => readSnapshot(db, (trx) => failedItems(trx, scope, page, filter)),
});

const DATA_SOURCES = sql`read.data_source d left join read.ingestion_setting s on s.id = d.ingestion_setting_id`;
const SYNCED = sql`(d.doc ->> 'synced_at')::bigint`;
const NAME = sql<string>`lower(coalesce(${currentName}, '')) collate "C"`;

interface Place {
  readonly id: string;
  readonly name: string;
}
/** Each by a key that no two rows share. */
const ORDERS: Readonly<
  Record<
    SourceGroupSort,
    { readonly by: RawBuilder<unknown>; readonly after: (place: Place) => RawBuilder<boolean> }
  >
> = {
  newest: { by: sql`d.id desc`, after: ({ id }) => sql`d.id < ${id}::uuid` },
  oldest: { by: sql`d.id`, after: ({ id }) => sql`d.id > ${id}::uuid` },
  name: { by: sql`${NAME}, d.id`, after: ({ id, name }) => sql`(${NAME}, d.id) > (${name}, ${id}::uuid)` },
};

/** On `d` and its setting `s`; null where all pass. */
const passes = (
  tenant: string,
  { ids, statuses, kinds, name }: SourceGroupFilter,
): RawBuilder<boolean> | null => {
  const conditions = [
    ...(ids === undefined ? [] : [sql`d.id = any(${uuids(ids)}::uuid[])`]),
    ...(statuses === undefined ? [] : [sql`${currentStatus(tenant)} = any(${statuses}::text[])`]),
    ...(kinds === undefined ? [] : [sql`d.kind = any(${kinds}::text[])`]),
    ...(name === undefined ? [] : [sql`starts_with(${NAME}, lower(${storable(name)}))`]),
  ];
  return conditions.length === 0 ? null : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

const within = (scope: CatalogScope): RawBuilder<boolean> =>
  sql<boolean>`(d.tenant = ${scope.tenant}
    and ${scope.only === null ? sql`true` : sql`d.id = any(${uuids(scope.only)}::uuid[])`} and ${shown(scope)})`;

/** A principal sees the groups, and their names, in which a policy lets it see a source. */
const shown = (scope: CatalogScope): RawBuilder<boolean> =>
  scope.access === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from read.source s
        where s.data_source_id = d.id and s.status <> 'removed' and ${seenSource(scope)})`;

const groups = async (
  db: Sql,
  scope: CatalogScope,
  condition: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<readonly SourceGroupRecord[]> => {
  // Chosen before anything is counted: by name, all of the tenant are compared.
  const { rows } = await sql<SourceGroupRecord>`
    with chosen as materialized (
      select d.id from ${DATA_SOURCES}
      where ${within(scope)} and d.status <> 'removed' and ${condition}
      order by ${order} limit ${limit})
    select d.id, coalesce(${currentName}, '') as name, d.kind, ${currentStatus(scope.tenant)} as status, d.ingestion_setting_id,
      (d.doc ->> 'created_at')::bigint as created_at, (d.doc ->> 'started_at')::bigint as started_at,
      (d.doc ->> 'ended_at')::bigint as ended_at, ${SYNCED} as synced_at, nullif(d.doc -> 'error', 'null') as error,
      coalesce(n.sources, 0) as source_count, coalesce(n.contents, 0) as content_count,
      coalesce((select jsonb_agg(b.tag_id order by b.id) from read.tag_binding b
        where b.source_group_id = d.id and b.tenant = d.tenant and not b.gone
          and b.source_group_id <> all(${dataSourceTombstones(scope.tenant)})), '[]') as tag_ids
    from ${DATA_SOURCES} left join lateral (${counts(scope)}) n on true
    where d.id in (select id from chosen)
    order by ${order}`.execute(db);
  return rows;
};

/** Counts of the group `d`: from counters, minus hidden rows; counted rows if a policy restricts them. */
const counts = (scope: CatalogScope): RawBuilder<unknown> =>
  scope.access === null
    ? sql`
        select sum(c.sources)::bigint as sources, sum(c.contents)::bigint as contents, sum(c.bytes)::bigint as bytes from (
          select c.sources, c.contents, c.bytes from read.source_count c
          where c.tenant = d.tenant and c.data_source_id = d.id
          union all
          select -1, -s.content_count, -coalesce((s.indexed ->> 'raw_bytes')::bigint, 0) from read.source s
          where s.no = any(${sourceTombstones(scope.tenant)}) and s.data_source_id = d.id and s.status <> 'removed') c
        where d.id <> all(${hiddenDataSources(scope.tenant)})`
    : sql`
        select
          (select count(*) from read.source s
            where s.data_source_id = d.id and s.status <> 'removed' and ${seenSource(scope)}) as sources,
          (select count(*) from read.content c where c.data_source_id = d.id and ${seenContent(scope)}) as contents`;

/** From the counters, one per kind; groups are counted for a restricted key, a principal or a filter. */
const total = (scope: CatalogScope, fitting: RawBuilder<boolean> | null): RawBuilder<{ n: number | null }> =>
  scope.only === null && scope.access === null && fitting === null
    ? sql<{ n: number | null }>`
        select sum(n)::bigint as n from read.data_source_count where tenant = ${scope.tenant}`
    : sql<{ n: number | null }>`
        select count(*) as n from ${DATA_SOURCES}
        where ${within(scope)} and d.status <> 'removed' and ${fitting ?? sql`true`}`;
