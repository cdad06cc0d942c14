import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { DueSchedule, DueSchedules } from '../../../application/ports/recurrence.ts';

type Found = Omit<DueSchedule, 'settingRevision'> & { readonly settingRevision: number };

/** The plan is a table of its own: lost with it is only work that one evaluation does again. */
export const createDueSchedules = (db: Sql): DueSchedules => ({
  due: async (now, limit) => {
    const { rows } = await sql<Found>`
      select s.id as ingestion_setting_id, s.data_source_id, s.tenant, s.doc->'schedule' as schedule,
        s.revision as setting_revision, t.next_due, (d.doc->>'ticked_until')::bigint as ticked_until
      from read.ingestion_setting s
      join read.data_source d on d.id = s.data_source_id
        and d.status not in ('deleting', 'delete_job_failure', 'removed')
      left join work.schedule_tick t on t.ingestion_setting_id = s.id and t.setting_revision = s.revision
      where s.scheduled and (t.ingestion_setting_id is null or t.next_due <= ${now})
      order by t.next_due nulls first limit ${limit}`.execute(db);
    return rows.map((row) => ({ ...row, settingRevision: BigInt(row.settingRevision) }));
  },
  plan: async (ingestionSettingId, settingRevision, nextDue) => {
    await sql`
      insert into work.schedule_tick as t (ingestion_setting_id, setting_revision, next_due)
      values (${ingestionSettingId}, ${Number(settingRevision)}, ${nextDue})
      on conflict (ingestion_setting_id) do update
        set setting_revision = excluded.setting_revision, next_due = excluded.next_due
        where t.setting_revision <= excluded.setting_revision`.execute(db);
  },
  forget: async (dataSourceId) => {
    await sql`
      delete from work.schedule_tick t using read.ingestion_setting s
      where s.data_source_id = ${dataSourceId} and s.id = t.ingestion_setting_id`.execute(db);
  },
});
