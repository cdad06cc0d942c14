import type { Deletions, LostJobs } from '../../../application/ports/data-source-view.ts';
import type { DueSchedule, DueSchedules } from '../../../application/ports/recurrence.ts';
import { INGESTION_JOB, INGESTION_PURGE } from '../../../application/sources/ingestion/job.ts';
import {
  CANCELING_LIMIT,
  JOB_LIMIT,
  MANAGED_REPORT_LIMIT,
  STARTING_LIMIT,
} from '../../../domain/data-source/index.ts';
import type { Sql } from '../database-schema.ts';
import type { WorkKind } from './agent-work.ts';
import { sql } from 'kysely';

const inStatus = (status: string, now: number) => sql`
  select id, tenant, status_since as since from read.data_source
  where status = ${sql.lit(status)} and not_before <= ${now}`;

const CLAIM = sql`jsonb_build_object('status', status, 'job_id', doc->'job_id', 'epoch', doc->'epoch')`;

/**
 * Pending: queued jobs whose back-off has passed. In progress: claimed jobs until they end. External jobs
 * have no lease, so they are found only after a limit has passed.
 */
export const jobWork: WorkKind = {
  kind: INGESTION_JOB,
  pending: (now) => inStatus('queued', now),
  inProgress: (now) => sql`
    select id, tenant,
      status_since <= case status when 'starting' then ${now - STARTING_LIMIT}::bigint
        when 'started' then ${now - JOB_LIMIT}::bigint else ${now - CANCELING_LIMIT}::bigint end as overdue,
      ${CLAIM} as claim
    from read.data_source where status in ('starting', 'started', 'canceling')
      and (kind <> 'push' or status_since <= ${now - CANCELING_LIMIT}::bigint)
    union all
    select id, tenant, true as overdue, ${CLAIM} as claim
    from read.data_source
    where status = 'managed' and (doc->>'heard_at')::bigint <= ${now - MANAGED_REPORT_LIMIT}::bigint`,
};

/** Accepted deletions. */
export const purgeWork: WorkKind = { kind: INGESTION_PURGE, pending: (now) => inStatus('deleting', now) };

export const createDeletions = (db: Sql): Deletions => ({
  failed: async (before, limit) => {
    return db
      .selectFrom('read.dataSource')
      .select(['id as dataSourceId', 'tenant'])
      .where('status', '=', 'delete_job_failure')
      .where('statusSince', '<=', before)
      .orderBy('statusSince')
      .orderBy('id')
      .limit(limit)
      .execute();
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

export const createLostJobs = (db: Sql): LostJobs => ({
  failed: (before, limit) =>
    db
      .selectFrom('read.dataSource')
      .select(['id as dataSourceId', sql<string>`doc->>'job_id'`.as('jobId')])
      .where('status', '=', 'failure')
      .where('statusSince', '<=', before)
      .where(sql<boolean>`doc->'error'->>'title' = 'Worker lost'`)
      .orderBy('statusSince')
      .orderBy('id')
      .limit(limit)
      .execute(),
});

type DueRow = Omit<DueSchedule, 'settingRevision'> & { readonly settingRevision: number };

/** The plan has its own table: if it is lost, one evaluation restores it. */
export const createDueSchedules = (db: Sql): DueSchedules => ({
  due: async (now, limit) => {
    const { rows } = await sql<DueRow>`
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
    await db
      .insertInto('work.scheduleTick')
      .values({ ingestionSettingId, settingRevision: Number(settingRevision), nextDue })
      .onConflict((conflict) =>
        conflict
          .column('ingestionSettingId')
          .doUpdateSet((eb) => ({
            settingRevision: eb.ref('excluded.settingRevision'),
            nextDue: eb.ref('excluded.nextDue'),
          }))
          .whereRef('work.scheduleTick.settingRevision', '<=', 'excluded.settingRevision'),
      )
      .execute();
  },
  forget: async (dataSourceId) => {
    await db
      .deleteFrom('work.scheduleTick as t')
      .using('read.ingestionSetting as s')
      .where('s.dataSourceId', '=', dataSourceId)
      .whereRef('s.id', '=', 't.ingestionSettingId')
      .execute();
  },
});
