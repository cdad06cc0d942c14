import type { UnsweptDataSource, UnsweptFiles } from '../../../application/ports/unswept-files.ts';
import type { Sql } from '../database-schema.ts';
import { type RecentlyUsed, createRecentlyUsed } from '../../../application/event-sourcing/recently-used.ts';
import type { Migration } from '../migrate.ts';
import { noJobUnderWay } from '../read-your-writes/conditions.ts';
import { sql } from 'kysely';

/** A mark is not trusted to stand for so long before it is due. */
const MARGIN_MS = 5_000;
/** Data sources whose mark is remembered. */
const REMEMBERED = 1_000;

/**
 * A mark without a data source is left alone: its view may lag behind. The end of a deletion removes it. Marks that this
 * process has put are not put again while they stand: a mark stands until it is due.
 */
export const createUnsweptFiles = (
  db: Sql,
  standing: RecentlyUsed<number> = createRecentlyUsed(REMEMBERED),
): UnsweptFiles => ({
  mark: async (tenant, dataSourceId, inMs) => {
    const at = performance.now();
    if (at < (standing.get(dataSourceId) ?? 0)) return;
    const { numAffectedRows } = await sql`insert into work.unswept_files (data_source_id, tenant, due_at)
      values (${dataSourceId}, ${tenant}, now() + ${inMs} * interval '1 millisecond')
      on conflict do nothing`.execute(db);
    if (numAffectedRows === 1n) standing.put(dataSourceId, at + inMs - MARGIN_MS);
  },
  due: async (limit) => {
    const { rows } = await sql<UnsweptDataSource>`
      select u.tenant, u.data_source_id, d.status_since
      from work.unswept_files u join read.data_source d on d.id = u.data_source_id
      where u.due_at <= now() and ${noJobUnderWay} order by u.due_at limit ${limit}`.execute(db);
    return rows;
  },
  swept: async (dataSourceId, againInMs) => {
    await (
      againInMs === null
        ? sql`delete from work.unswept_files where data_source_id = ${dataSourceId}`
        : sql`update work.unswept_files set due_at = now() + ${againInMs} * interval '1 millisecond'
            where data_source_id = ${dataSourceId}`
    ).execute(db);
  },
});

export const unsweptFilesMigration: Migration = {
  id: 'work-unswept-files',
  up: (execute) =>
    execute(`
      CREATE TABLE work.unswept_files (
        data_source_id uuid PRIMARY KEY,
        tenant text COLLATE "C" NOT NULL,
        due_at timestamptz NOT NULL
      )`),
};
