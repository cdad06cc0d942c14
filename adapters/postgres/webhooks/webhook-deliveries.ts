import { type RawBuilder, sql } from 'kysely';
import { unknownCursor } from '../../../application/ports/page.ts';
import type {
  Delivery,
  Failing,
  FollowedWebhook,
  WebhookDeliveries,
  WebhookRow,
} from '../../../application/ports/webhooks.ts';
import { recordset } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';

/** @param db whose commits are on disk when they are acknowledged */
export const createWebhookDeliveries = (db: Sql): WebhookDeliveries => ({
  followed: (now) =>
    db.transaction().execute(async (trx) => {
      // Enabled again since: everything pending is due, as if it was never tried.
      await sql`with resumed as (
          update work.webhook_place p
            set enabled_at = (w.doc ->> 'enabled_at')::bigint, failing_since = null
            from read.webhook w
            where w.id = p.webhook_id and w.enabled and not w.deleted
              and p.enabled_at < (w.doc ->> 'enabled_at')::bigint
            returning p.webhook_id
        )
        update work.webhook_delivery d set attempts = 0, first_at = null, next_at = ${now}
          from resumed where d.webhook_id = resumed.webhook_id and d.state = 'pending'`.execute(trx);
      await sql`insert into work.webhook_place (webhook_id, position, enabled_at)
        select id, doc ->> 'from', (doc ->> 'enabled_at')::bigint
          from read.webhook where enabled and not deleted
        on conflict do nothing`.execute(trx);
      const { rows } = await sql<
        StoredRow<WebhookRow> & Pick<FollowedWebhook, 'position' | 'failingSince'>
      >`select w.doc, w.revision, p.position, p.failing_since
        from read.webhook w join work.webhook_place p on p.webhook_id = w.id
        where w.enabled and not w.deleted order by w.id`.execute(trx);
      return rows.map(({ position, failingSince, ...row }) => ({
        webhook: rowOf<WebhookRow>(row),
        position,
        failingSince,
      }));
    }),

  add: (webhookId, from, to, deliveries, now) =>
    db.transaction().execute(async (trx) => {
      const { numAffectedRows = 0n } = await sql`update work.webhook_place set position = ${to}
        where webhook_id = ${webhookId} and position = ${from}`.execute(trx);
      if (numAffectedRows === 0n) return false;
      if (deliveries.length === 0) return true;
      const rows = deliveries.map(({ revision, ...delivery }) => ({
        ...delivery,
        revision: Number(revision),
      }));
      await sql`insert into work.webhook_delivery
          (webhook_id, id, position, stream, revision, type, lane, state, next_at, created_at)
        select ${webhookId}::uuid, id, position, stream, revision, type, lane, 'pending', ${now}, ${now}
          from ${recordset(rows, 'r', NEW)}
        on conflict do nothing`.execute(trx);
      return true;
    }),

  pending: async (webhookId) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from work.webhook_delivery
      where webhook_id = ${webhookId} and state = 'pending'`.execute(db);
    return rows[0]!.n;
  },

  due: (webhookId, now, except, limit) =>
    read(
      db,
      sql`select * from (
          select distinct on (lane) ${FIELDS} from work.webhook_delivery
            where webhook_id = ${webhookId} and state = 'pending' and lane <> all(${except}::text[])
            order by lane, position
        ) heads where next_at <= ${now} order by position limit ${limit}`,
    ),

  next: async (webhookId, lane, now) => {
    const [first] = await read(
      db,
      sql`select ${FIELDS} from work.webhook_delivery
        where webhook_id = ${webhookId} and lane = ${lane} and state = 'pending' order by position limit 1`,
    );
    return first !== undefined && first.nextAt !== null && first.nextAt <= now ? first : null;
  },

  record: (
    { webhookId, id, attempts, firstAt: firstBefore },
    { state, firstAt, nextAt, status, reason, at },
  ) =>
    db.transaction().execute(async (trx) => {
      const settledAt = state === 'pending' ? null : at;
      const { numAffectedRows = 0n } = await sql`update work.webhook_delivery
        set state = ${state}, attempts = attempts + 1, first_at = ${firstAt}, next_at = ${nextAt},
          status = ${status}, reason = ${reason}, settled_at = ${settledAt}
        where webhook_id = ${webhookId} and id = ${id} and state = 'pending' and attempts = ${attempts}
          and first_at is not distinct from ${firstBefore}::bigint`.execute(trx);
      if (numAffectedRows === 0n) return undefined;
      const since = state === 'delivered' ? null : at;
      const { rows } = await sql<{ failingSince: number | null }>`update work.webhook_place
        set failing_since = case when ${since}::bigint is null then null else coalesce(failing_since, ${since}) end
        where webhook_id = ${webhookId} returning failing_since`.execute(trx);
      return rows[0]?.failingSince ?? null;
    }),

  failing: async (webhookIds) => {
    const { rows } = await sql<Failing & { readonly id: string }>`
      select p.webhook_id as id, p.failing_since as since, coalesce((
        select d.reason from work.webhook_delivery d
        where d.webhook_id = p.webhook_id and d.state = 'pending' and d.reason <> '' order by d.position limit 1), '') as reason
      from work.webhook_place p
      where p.webhook_id = any(${webhookIds}::uuid[]) and p.failing_since is not null`.execute(db);
    return new Map(rows.map(({ id, ...failing }) => [id, failing]));
  },

  list: async (webhookId, state, page) => {
    const { after, limit } = page;
    const of = sql`webhook_id = ${webhookId}`;
    const inState = state === undefined ? sql`true` : sql`state = ${state}`;
    const [cursor] =
      after === undefined
        ? []
        : await read(db, sql`select ${FIELDS} from work.webhook_delivery where ${of} and id = ${after}`);
    if (after !== undefined && cursor === undefined) throw unknownCursor(after);
    const before = cursor === undefined ? sql`true` : sql`position < ${cursor.position}`;
    const rows = await read(
      db,
      sql`select ${FIELDS} from work.webhook_delivery
        where ${of} and ${inState} and ${before} order by position desc limit ${limit + 1}`,
    );
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
  },

  again: async (webhookId, id, now) => {
    const [found] = await read(
      db,
      sql`update work.webhook_delivery
        set next_at = ${now},
          lane = case state when 'pending' then lane else 'again ' || id end,
          attempts = case state when 'pending' then attempts else 0 end,
          first_at = case state when 'pending' then first_at end,
          settled_at = null, state = 'pending'
        where webhook_id = ${webhookId} and id = ${id} returning ${FIELDS}`,
    );
    return found ?? null;
  },

  forget: async (webhookId) => {
    await sql`delete from work.webhook_place where webhook_id = ${webhookId}`.execute(db);
  },

  sweep: async (deliveredBefore, diedBefore) => {
    await sql`delete from work.webhook_place p
      using read.webhook w where w.id = p.webhook_id and w.deleted`.execute(db);
    await sql`delete from work.webhook_delivery
      where (state = 'delivered' and settled_at < ${deliveredBefore})
        or (state = 'dead' and settled_at < ${diedBefore})`.execute(db);
  },
});

/**
 * How long the oldest event has waited to be delivered to an enabled webhook, in seconds; 0 if none waits: of one
 * tenant, or of all.
 */
export const deliveryAge = async (db: Sql, now: number, tenant?: string): Promise<number> => {
  const { rows } = await sql<{ since: number | null }>`select min(d.created_at) as since
    from work.webhook_delivery d join read.webhook w on w.id = d.webhook_id
    where d.state = 'pending' and w.enabled and not w.deleted
      and ${tenant === undefined ? sql`true` : sql`w.tenant = ${tenant}`}`.execute(db);
  return Math.max(0, now - (rows[0]?.since ?? now)) / 1_000;
};

const NEW = {
  id: 'text',
  position: 'text',
  stream: 'text',
  revision: 'bigint',
  type: 'text',
  lane: 'text',
} as const;

const FIELDS = sql`webhook_id, id, position, stream, revision, type, lane, state, attempts, first_at, next_at, status,
  reason, created_at, settled_at`;

const read = async (db: Sql, query: RawBuilder<unknown>): Promise<readonly Delivery[]> => {
  const { rows } = await query.execute(db);
  return (rows as (Omit<Delivery, 'revision'> & { readonly revision: number })[]).map((row) => ({
    ...row,
    revision: BigInt(row.revision),
  }));
};
