import { sql } from 'kysely';
import type { Deletions } from '../../../application/ports/data-source-view.ts';
import type { Sql } from '../database-schema.ts';

export const createDeletions = (db: Sql): Deletions => ({
  failed: async (before, limit) => {
    const { rows } = await sql<{ dataSourceId: string; tenant: string }>`
      select id as data_source_id, tenant from read.data_source
      where status = 'delete_job_failure' and status_since <= ${before}
      order by status_since, id limit ${limit}`.execute(db);
    return rows;
  },

  forgetRemoved: async () => {
    const { rows } = await sql<{ n: number }>`
      with leases as (
        delete from work.work_lease l using read.data_source d
        where d.id = l.id and d.status = 'removed' and l.until <= now() returning 1),
      ticks as (
        delete from work.schedule_tick t using read.ingestion_setting s, read.data_source d
        where s.id = t.ingestion_setting_id and d.id = s.data_source_id and d.status = 'removed' returning 1)
      select (select count(*) from leases) + (select count(*) from ticks) as n`.execute(db);
    return rows[0]?.n ?? 0;
  },
});
