import { type RawBuilder, sql } from 'kysely';
import type { GroupScope } from '../../../application/ports/catalog.ts';
import { type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import type {
  FailedItem,
  FailedItemFilter,
  FailedItemPage,
} from '../../../application/ports/source-group-view.ts';
import { isUuid, uuids } from '../catalog/conditions.ts';
import { countOf } from '../catalog/pages.ts';
import type { Sql } from '../database-schema.ts';
import { FAILED_BEFORE } from '../work/crawl-sweep.ts';
import { currentName, hiddenDataSources } from '../read-your-writes/conditions.ts';

/** A cursor is the id of the data source and the locator of its item, of which the id has a fixed length. */
const ID_LENGTH = 36;
const cursorOf = ({ sourceGroupId, locator }: FailedItem): string => sourceGroupId + locator;

/**
 * See `SourceGroupView.failedItems`. The failure of an item stands until the item was looked at again, or a job over all
 * items has succeeded without it. The tables of items are asked by data source, generation and outcome: an index.
 */
export const failedItems = async (
  db: Sql,
  scope: GroupScope,
  { limit, after }: PageRequest,
  { from: since, to: until, code, kinds, sourceGroupIds }: FailedItemFilter,
): Promise<FailedItemPage> => {
  const [id, locator] = [after?.slice(0, ID_LENGTH), after?.slice(ID_LENGTH) ?? ''];
  if (id !== undefined && !isUuid(id)) throw unknownCursor(after!);
  const behind =
    id === undefined
      ? sql`true`
      : sql`(d.id <= ${id}::uuid and (d.id < ${id}::uuid or d.id = ${id}::uuid and i.locator > ${locator}))`;
  const from = (table: string, name: string, failed: RawBuilder<boolean>): RawBuilder<unknown> => sql`
    select ${sql.ref(name)} as locator, code, message, visited_at, attempt from ${sql.table(table)}
    where data_source_id = d.id and ${failed} and generation >= (d.doc ->> 'settled_generation')::integer`;
  const fitting = sql`read.data_source d
      cross join lateral (${from('work.unit', 'locator', sql`outcome in ('failed', 'row_failed')`)}
        union all ${from('work.crawl_page', 'url', sql`(outcome = 'failed' or ${FAILED_BEFORE})`)}) i
    where d.tenant = ${scope.tenant} and d.status <> 'removed' and d.id <> all(${hiddenDataSources(scope.tenant)})
      and ${scope.only === null ? sql`true` : sql`d.id = any(${uuids(scope.only)}::uuid[])`}
      and ${sourceGroupIds === undefined ? sql`true` : sql`d.id = any(${uuids(sourceGroupIds)}::uuid[])`}
      and ${kinds === undefined ? sql`true` : sql`d.kind = any(${kinds}::text[])`}
      and ${code === undefined ? sql`true` : sql`i.code = ${code}`}
      and ${since === undefined ? sql`true` : sql`i.visited_at >= ${since}`}
      and ${until === undefined ? sql`true` : sql`i.visited_at < ${until}`}`;
  const { rows } = await sql<FailedItem>`
    with page as (
      select d.id, d.kind, d.ingestion_setting_id, i.* from ${fitting} and ${behind}
      order by d.id desc, i.locator limit ${limit + 1})
    select d.id as source_group_id, coalesce(${currentName}, '') as source_group_name, d.kind,
      d.locator, d.code, d.message, d.visited_at as at, d.attempt
    from page d left join read.ingestion_setting s on s.id = d.ingestion_setting_id
    order by d.id desc, d.locator`.execute(db);
  const total = await countOf(db, sql`select count(*) as n from ${fitting}`);
  const found = rows.slice(0, limit);
  return { rows: found, total, ...(rows.length > limit && { next: cursorOf(found.at(-1)!) }) };
};
