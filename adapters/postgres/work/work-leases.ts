import type { Sql } from '../sql.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Abandoned, Lease, WorkLeases } from '../../../application/ports/work-leases.ts';
import { KEEP_PLAN } from '../kept-plans.ts';
import { createPuttingOff } from './putting-off.ts';
import type { WorkKind } from './work-kind.ts';

type Row = Omit<Lease, 'token'> & { readonly token: number };

const TAKEN = sql`returning kind, id, tenant, token, attempt, lasting`;
const FREE = sql`(l.until is null or l.until <= now()) and (l.not_before is null or l.not_before <= now())`;

/**
 * Leases by the database's clock, so that machines need not agree on the time; what is owed when is by the service's. A
 * thing has one lease, whatever the kind: no two kinds of work on it are ever done at a time.
 */
export const createWorkLeases = (
  db: Sql,
  clock: { readonly now: () => number },
  kinds: readonly [WorkKind, ...WorkKind[]],
): WorkLeases => ({
  kinds: kinds.map(({ kind }) => kind),

  claim: async (owner, limit, leaseMs) => {
    const { rows } = await sql<Row>`
      with live as materialized (
        select tenant, count(*) as n from work.work_lease where until > now() group by tenant),
      owed as (
        select o.kind, o.id, o.tenant
        from (${ofAll(kinds.map(({ kind, owed }) => [kind, owed(clock.now())]))}) o
        left join work.work_lease l on l.id = o.id
        left join live on live.tenant = o.tenant
        where ${FREE}
        order by
          coalesce(live.n, 0) + row_number() over (partition by o.tenant order by o.since, o.id), o.since, o.id
        limit ${limit})
      insert into work.work_lease as l (kind, id, tenant, owner, token, attempt, until)
      select kind, id, tenant, ${owner}, 1, 1, ${after(leaseMs)} from owed
      on conflict (id) do update set
        kind = excluded.kind, owner = excluded.owner, token = l.token + 1, until = excluded.until, leaving = false,
        attempt = case when l.kind = excluded.kind then l.attempt + 1 else 1 end,
        lasting = case when l.kind = excluded.kind then l.lasting else 0 end, not_before = null
      where ${FREE} ${TAKEN} ${KEEP_PLAN}`.execute(db);
    return rows.map(leaseOf);
  },

  claimOne: async (owner, { kind, id, tenant }, leaseMs) => {
    const { rows } = await sql<Row>`
      insert into work.work_lease as l (kind, id, tenant, owner, token, attempt, until)
      values (${kind}, ${id}, ${tenant}, ${owner}, 1, 1, ${after(leaseMs)})
      on conflict (id) do update set
        kind = excluded.kind, owner = excluded.owner, token = l.token + 1, until = excluded.until, leaving = false,
        attempt = 1, lasting = 0, not_before = null
      where ${FREE} ${TAKEN}`.execute(db);
    return rows[0] === undefined ? null : leaseOf(rows[0]);
  },

  renew: async (owner, lease, leaseMs) => {
    const { numAffectedRows } = await sql`
      update work.work_lease set until = ${after(leaseMs)}
      where ${heldBy(owner, lease)} and until > now()`.execute(db);
    return numAffectedRows === 1n;
  },

  release: async (owner, lease, how) => {
    if (how === 'gone') {
      await sql`delete from work.work_lease where ${heldBy(owner, lease)}`.execute(db);
      return;
    }
    const left =
      how === 'done' ? sql`attempt = 0, lasting = 0, not_before = null` : sql`attempt = attempt - 1`;
    await sql`update work.work_lease set until = now(), ${left} where ${heldBy(owner, lease)}`.execute(db);
  },

  putOff: createPuttingOff(db),

  abandoned: async (limit) => {
    const underWay = kinds.flatMap(({ kind, underWay: of }) =>
      of === undefined ? [] : ([[kind, of(clock.now())]] as const),
    );
    if (underWay.length === 0) return [];
    const { rows } = await sql<Abandoned>`
      select u.kind, u.id, u.tenant, u.overdue, u.claim,
        case when l.until > now() then 'alive' when l.leaving then 'stopped' else 'lost' end as worker
      from (${ofAll(underWay)}) u left join work.work_lease l on l.id = u.id
      where u.overdue or l.until is null or l.until <= now()
      limit ${limit}`.execute(db);
    return rows;
  },

  leave: async (owner) => {
    await sql`update work.work_lease set leaving = true where owner = ${owner} and until > now()`.execute(db);
  },

  takeOver: async (owner) => {
    const { numAffectedRows } = await sql`
      update work.work_lease set until = now() where owner <> ${owner} and until > now()`.execute(db);
    return Number(numAffectedRows ?? 0n);
  },
});

const leaseOf = (row: Row): Lease => ({ ...row, token: BigInt(row.token) });

/** What is selected of each kind, together, each row with its kind. */
const ofAll = (each: readonly (readonly [kind: string, of: RawBuilder<unknown>])[]) =>
  sql.join(
    each.map(([kind, of]) => sql`select ${sql.lit(kind)} as kind, k.* from (${of}) k`),
    sql` union all `,
  );

const after = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`;

const heldBy = (owner: string, { id, token }: Lease) =>
  sql`id = ${id} and owner = ${owner} and token = ${Number(token)}`;
