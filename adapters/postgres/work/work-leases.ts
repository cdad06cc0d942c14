import type { Abandoned, Lease, Deferral, WorkLeases } from '../../../application/ports/leases.ts';
import { createMicroBatch } from '../batching.ts';
import { NOW, fromNow, type Sql } from '../database-schema.ts';
import { PREPARED, opaqueToPlanner, unnested } from '../prepared-statements.ts';
import type { WorkKind } from './agent-work.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Number of consecutive crashes of the whole process during a work item before the work counts as their
 * cause.
 */
const MAX_CRASHES = 10;
/** Attempts of a claim if another owner was faster, because there may be more work. */
const MAX_CLAIM_ATTEMPTS = 3;

type Row = Omit<Lease, 'token'> & { readonly token: number };

const RETURNING_LEASE = sql`returning kind, id, tenant, token, attempt, lasting`;
const FREE = sql`(l.until is null or l.until <= now()) and (l.not_before is null or l.not_before <= now())`;

/**
 * Leases by the database clock, so that machines need not agree on the time; the service's clock decides when
 * work is due. An id has one lease for all kinds, so two kinds of work on it never run at the same time.
 */
export const createWorkLeases = (
  db: Sql,
  clock: { readonly now: () => number },
  kinds: readonly [WorkKind, ...WorkKind[]],
): WorkLeases => ({
  kinds: kinds.map(({ kind }) => kind),

  claim: async (owner, limit, leaseMs, except = []) => {
    const taken: Lease[] = [];
    for (let attempt = 0; attempt < MAX_CLAIM_ATTEMPTS && taken.length < limit; attempt++) {
      const { leases, found } = await claimOnce(db, kinds, clock.now(), {
        owner,
        leaseMs,
        limit: limit - taken.length,
        except,
      });
      taken.push(...leases);
      if (leases.length === found) break;
    }
    return taken;
  },

  claimOne: async (owner, { kind, id, tenant }, leaseMs) => {
    const { rows } = await sql<Row>`
      insert into work.work_lease as l (kind, id, tenant, owner, token, attempt, until)
      values (${kind}, ${id}, ${tenant}, ${owner}, 1, 1, ${fromNow(leaseMs)})
      on conflict (id) do update set
        kind = excluded.kind, owner = excluded.owner, token = l.token + 1, until = excluded.until, leaving = false,
        attempt = 1, lasting = 0, not_before = null
      where ${FREE} ${RETURNING_LEASE}`.execute(db);
    return rows[0] === undefined ? null : leaseOf(rows[0]);
  },

  renew: async (owner, lease, leaseMs) => {
    const { numUpdatedRows } = await db
      .updateTable('work.workLease')
      .set({ until: fromNow(leaseMs) })
      .where(heldBy(owner, lease))
      .where('until', '>', NOW)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  release: async (owner, lease, how) => {
    const held = heldBy(owner, lease);
    if (how === 'gone') return void (await db.deleteFrom('work.workLease').where(held).execute());
    const ended = db.updateTable('work.workLease').set({ until: NOW }).where(held);
    await (
      how === 'done'
        ? ended.set({ attempt: 0, lasting: 0, notBefore: null })
        : ended.set((eb) => ({ attempt: eb('attempt', '-', 1) }))
    ).execute();
  },

  defer: createDeferral(db),

  abandoned: async (limit) => {
    const inProgress = kinds.flatMap(({ kind, inProgress: of }) =>
      of === undefined ? [] : ([[kind, of(clock.now())]] as const),
    );
    if (inProgress.length === 0) return [];
    const { rows } = await sql<Abandoned>`
      select u.kind, u.id, u.tenant, u.overdue, u.claim,
        case when l.until > now() then 'alive' when l.leaving then 'stopped' else 'lost' end as worker
      from (${unionKinds(inProgress)}) u left join work.work_lease l on l.id = u.id
      where u.overdue or l.until is null or l.until <= now()
      limit ${limit}`.execute(db);
    return rows;
  },

  leave: async (owner) => {
    await db
      .updateTable('work.workLease')
      .set({ leaving: true })
      .where('owner', '=', owner)
      .where('until', '>', NOW)
      .execute();
  },

  takeOver: async (owner) => {
    const { numUpdatedRows } = await db
      .updateTable('work.workLease')
      .set({ until: NOW, leaving: sql`attempt <= ${MAX_CRASHES}` })
      .where('owner', '<>', owner)
      .where('until', '>', NOW)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
});

/**
 * For each kind of work how long the oldest item that a worker may take now has waited, in seconds; 0 if there is
 * none: of one tenant, or of all.
 */
export const queueAges = async (
  db: Sql,
  kinds: readonly WorkKind[],
  now: number,
  tenant?: string,
): Promise<readonly { readonly kind: string; readonly seconds: number }[]> => {
  const { rows } = await sql<{ kind: string; since: number }>`
    select o.kind, min(o.since)::float8 as since
    from (${sql.join(
      kinds.map((kind) => claimableOf(kind, now, sql`1`)),
      sql` union all `,
    )}) o where ${tenant === undefined ? sql`true` : sql`o.tenant = ${tenant}`} group by o.kind`.execute(db);
  const oldest = new Map(rows.map(({ kind, since }) => [kind, since]));
  return kinds.map(({ kind }) => ({ kind, seconds: Math.max(0, now - (oldest.get(kind) ?? now)) / 1000 }));
};

const leaseOf = ({ kind, id, tenant, token, attempt, lasting }: Row): Lease => ({
  kind,
  id,
  tenant,
  token: BigInt(token),
  attempt,
  lasting,
});

/** One row per lease that was taken, or one row without a lease. */
type FoundRow = { readonly [Column in keyof Row]: Row[Column] | null } & { readonly found: number };

interface Claim {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly except: readonly string[];
}

/** `found`: the number of claimable items, some of which another owner may have taken first. */
const claimOnce = async (
  db: Sql,
  kinds: readonly WorkKind[],
  now: number,
  { owner, leaseMs, limit, except }: Claim,
): Promise<{ readonly leases: readonly Lease[]; readonly found: number }> => {
  const maxRows = opaqueToPlanner(limit, 'int');
  const { rows } = await sql<FoundRow>`
    with live as materialized (
      select tenant, count(*) as n from work.work_lease where until > now() group by tenant),
    pending as materialized (
      select o.kind, o.id, o.tenant
      from (${sql.join(
        kinds.map((kind) => claimableOf(kind, now, maxRows)),
        sql` union all `,
      )}) o
      left join live on live.tenant = o.tenant
      where o.tenant <> all(${except}::text[])
      order by
        coalesce(live.n, 0) + row_number() over (partition by o.tenant order by o.since, o.id), o.since, o.id
      limit ${maxRows}),
    taken as (
      insert into work.work_lease as l (kind, id, tenant, owner, token, attempt, until)
      select kind, id, tenant, ${owner}, 1, 1, ${fromNow(leaseMs)} from pending
      on conflict (id) do update set
        kind = excluded.kind, owner = excluded.owner, token = l.token + 1, until = excluded.until, leaving = false,
        attempt = case when l.kind = excluded.kind then l.attempt + 1 else 1 end,
        lasting = case when l.kind = excluded.kind then l.lasting else 0 end, not_before = null
      where ${FREE} ${RETURNING_LEASE})
    select all_found.n as found, taken.*
    from (select count(*) as n from pending) all_found left join taken on true ${PREPARED}`.execute(db);
  const leases = rows.filter((row): row is FoundRow & Row => row.id !== null).map(leaseOf);
  return { leases, found: rows[0]?.found ?? 0 };
};

/** Claimable work of one kind: per tenant at most as much as one claim can take, or all of it. */
const claimableOf = ({ kind, pending, tenants }: WorkKind, now: number, limit: RawBuilder<unknown>) => {
  const free = (of: RawBuilder<unknown>) => sql`
    select ${sql.lit(kind)} as kind, k.* from (${pending(now)}) k left join work.work_lease l on l.id = k.id
    where ${FREE} ${of}`;
  if (tenants === undefined) return free(sql``);
  return sql`
    select f.* from (${tenants}) t
    cross join lateral (${free(sql`and k.tenant = t.tenant order by k.since, k.id limit ${limit}`)}) f`;
};

/** Unions the selections of all kinds; each row has its kind. */
const unionKinds = (each: readonly (readonly [kind: string, of: RawBuilder<unknown>])[]) =>
  sql.join(
    each.map(([kind, of]) => sql`select ${sql.lit(kind)} as kind, k.* from (${of}) k`),
    sql` union all `,
  );

const heldBy = (owner: string, { id, token }: Lease) =>
  sql<boolean>`id = ${id} and owner = ${owner} and token = ${Number(token)}`;

interface DeferRequest {
  readonly owner: string;
  readonly lease: Lease;
  readonly pause: Deferral;
}

/** Implements `WorkLeases.defer`: concurrent deferrals share one statement. */
const createDeferral = (db: Sql): WorkLeases['defer'] => {
  const defer = createMicroBatch({
    send: async (requests: readonly DeferRequest[]) => {
      const columns = unnested([
        ['uuid', requests.map(({ lease }) => lease.id)],
        ['text', requests.map(({ owner }) => owner)],
        ['bigint', requests.map(({ lease }) => Number(lease.token))],
        ['float8', requests.map(({ pause }) => pause.ms)],
        ['int', requests.map(({ pause }) => (pause.transient ? 0 : 1))],
      ]);
      await sql`
        update work.work_lease l set until = now(), not_before = now() + g.ms * interval '1 millisecond',
          lasting = l.lasting + g.lasting
        from ${columns} g (id, owner, token, ms, lasting)
        where l.id = g.id and l.owner = g.owner and l.token = g.token ${PREPARED}`.execute(db);
      return requests;
    },
  });
  return async (owner, lease, pause) => void (await defer({ owner, lease, pause }));
};
