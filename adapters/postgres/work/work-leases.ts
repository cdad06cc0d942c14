import type { Sql } from '../sql.ts';
import { sql } from 'kysely';
import type { Abandoned, Lease, WorkLeases } from '../../../application/ports/work-leases.ts';
import { CANCELING_LIMIT, JOB_LIMIT, STARTING_LIMIT } from '../../../domain/data-source/index.ts';

interface Row {
  readonly data_source_id: string;
  readonly tenant: string;
  readonly token: number;
  readonly purpose: Lease['purpose'];
  readonly attempt: number;
  readonly lasting: number;
}

/** Leases by the database's clock, so that machines need not agree on the time; `not_before` is by the service's. */
export const createWorkLeases = (db: Sql, clock: { readonly now: () => number }): WorkLeases => ({
  claim: async (owner, limit, leaseMs) => {
    const { rows } = await sql<Row>`
      with live as (select tenant, count(*) as n from work.lease where until > now() group by tenant),
      owed as (
        select d.id, d.tenant, case d.status when 'queued' then 'run' else 'purge' end as purpose
        from read.data_source d
        left join work.lease l on l.data_source_id = d.id
        left join live on live.tenant = d.tenant
        where d.status in ('queued', 'deleting') and d.not_before <= ${clock.now()}
          and (l.until is null or l.until <= now()) and (l.not_before is null or l.not_before <= now())
        order by
          coalesce(live.n, 0) + row_number() over (partition by d.tenant order by d.status_since, d.id),
          d.status_since, d.id
        limit ${limit})
      insert into work.lease as l (data_source_id, tenant, owner, token, purpose, attempt, until)
      select id, tenant, ${owner}, 1, purpose, 1, now() + ${leaseMs} * interval '1 millisecond' from owed
      on conflict (data_source_id) do update set
        owner = excluded.owner, token = l.token + 1, purpose = excluded.purpose, until = excluded.until,
        leaving = false,
        attempt = case when l.purpose = excluded.purpose then l.attempt + 1 else 1 end,
        lasting = case when l.purpose = excluded.purpose then l.lasting else 0 end, not_before = null
      where l.until <= now() and (l.not_before is null or l.not_before <= now())
      returning data_source_id, tenant, token, purpose, attempt, lasting`.execute(db);
    return rows.map((row) => ({ ...row, token: BigInt(row.token) }));
  },

  claimToErase: async (owner, { data_source_id, tenant }, leaseMs) => {
    const { rows } = await sql<Row>`
      insert into work.lease as l (data_source_id, tenant, owner, token, purpose, attempt, until)
      values (${data_source_id}, ${tenant}, ${owner}, 1, 'erase', 1, now() + ${leaseMs} * interval '1 millisecond')
      on conflict (data_source_id) do update set
        owner = excluded.owner, token = l.token + 1, purpose = 'erase', attempt = 1, lasting = 0, not_before = null,
        leaving = false,
        until = excluded.until
      where l.until <= now() and (l.not_before is null or l.not_before <= now())
      returning data_source_id, tenant, token, purpose, attempt, lasting`.execute(db);
    return rows[0] === undefined ? null : { ...rows[0], token: BigInt(rows[0].token) };
  },

  renew: async (owner, lease, leaseMs) => {
    const { numAffectedRows } = await sql`
      update work.lease set until = now() + ${leaseMs} * interval '1 millisecond'
      where ${heldBy(owner, lease)} and until > now()`.execute(db);
    return numAffectedRows === 1n;
  },

  release: async (owner, lease, how) => {
    if (how === 'gone') {
      await sql`delete from work.lease where ${heldBy(owner, lease)}`.execute(db);
      return;
    }
    const left =
      how === 'done' ? sql`attempt = 0, lasting = 0, not_before = null` : sql`attempt = attempt - 1`;
    await sql`update work.lease set until = now(), ${left} where ${heldBy(owner, lease)}`.execute(db);
  },

  putOff: async (owner, lease, { ms, passing }) => {
    await sql`
      update work.lease set until = now(), not_before = now() + ${ms} * interval '1 millisecond',
        lasting = lasting + ${passing ? 0 : 1}
      where ${heldBy(owner, lease)}`.execute(db);
  },

  abandoned: async (limit) => {
    const now = clock.now();
    const { rows } = await sql<Abandoned>`
      select d.id as data_source_id, d.tenant, d.status, d.doc->>'job_id' as job_id,
        (d.doc->>'epoch')::integer as epoch,
        case when d.status = 'canceling' and d.status_since <= ${now - CANCELING_LIMIT} then 'cancel_timed_out'
          when l.until <= now() and l.leaving then 'worker_stopped'
          when l.until is null or l.until <= now() then 'worker_lost' else 'timed_out' end as reason
      from read.data_source d left join work.lease l on l.data_source_id = d.id
      where d.status in ('starting', 'started', 'canceling') and (
        l.until is null or l.until <= now()
        or (d.status = 'starting' and d.status_since <= ${now - STARTING_LIMIT})
        or (d.status = 'started' and d.status_since <= ${now - JOB_LIMIT})
        or (d.status = 'canceling' and d.status_since <= ${now - CANCELING_LIMIT}))
      limit ${limit}`.execute(db);
    return rows;
  },

  failedDeletions: async (before, limit) => {
    const { rows } = await sql<Pick<Lease, 'data_source_id' | 'tenant'>>`
      select id as data_source_id, tenant from read.data_source
      where status = 'delete_job_failure' and status_since <= ${before}
      order by status_since, id limit ${limit}`.execute(db);
    return rows;
  },

  forgetRemoved: async () => {
    const { rows } = await sql<{ n: number }>`
      with leases as (
        delete from work.lease l using read.data_source d
        where d.id = l.data_source_id and d.status = 'removed' and l.until <= now() returning 1),
      ticks as (
        delete from work.schedule_tick t using read.ingestion_setting s, read.data_source d
        where s.id = t.ingestion_setting_id and d.id = s.data_source_id and d.status = 'removed' returning 1)
      select (select count(*) from leases) + (select count(*) from ticks) as n`.execute(db);
    return rows[0]?.n ?? 0;
  },

  leave: async (owner) => {
    await sql`update work.lease set leaving = true where owner = ${owner} and until > now()`.execute(db);
  },

  takeOver: async (owner) => {
    const { numAffectedRows } = await sql`
      update work.lease set until = now() where owner <> ${owner} and until > now()`.execute(db);
    return Number(numAffectedRows ?? 0n);
  },
});

const heldBy = (owner: string, { data_source_id, token }: Lease) =>
  sql`data_source_id = ${data_source_id} and owner = ${owner} and token = ${Number(token)}`;
