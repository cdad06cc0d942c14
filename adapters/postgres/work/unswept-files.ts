import type { UnsweptDataSource, UnsweptFiles } from '../../../application/ports/unswept-files.ts';
import type { Sql } from '../database-schema.ts';
import type { Migration } from '../migrate.ts';
import { noJobUnderWay } from '../read-your-writes/conditions.ts';
import { sql } from 'kysely';

/** A mark without a data source is left alone: its view may lag behind. The end of a deletion removes it. */
export const createUnsweptFiles = (db: Sql): UnsweptFiles => ({
  mark: async (tenant, dataSourceId, inMs) => {
    await sql`insert into work.unswept_files (data_source_id, tenant, due_at)
      values (${dataSourceId}, ${tenant}, now() + ${inMs} * interval '1 millisecond')
      on conflict do nothing`.execute(db);
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
