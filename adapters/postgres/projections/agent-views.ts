import { sql } from 'kysely';
import type { AgentRunRow, AgentThreadRow } from '../../../application/ports/agent-view.ts';
import { agentRunFold, agentThreadFold } from '../../../application/read-models/row-folds.ts';
import type { Sql } from '../database-schema.ts';
import { type Projection, createRowProjection } from './projection.ts';

/** '' cannot be the id of a principal. */
const principalOf = ({ principalId }: { readonly principalId: string | null }): string => principalId ?? '';

/** Threads by principal. A deleted thread has no row. */
export const agentThreadProjection = createRowProjection<AgentThreadRow>({
  view: 'agent_thread',
  shape: 2,
  ...agentThreadFold,
  columns: { tenant: 'text', principal: 'text' },
  indexes: ['(tenant, principal, id desc)'],
  columnsOf: (row) => ({ tenant: row.tenant, principal: principalOf(row) }),
  countedIn: (row) => ({ tenant: row.tenant, list: principalOf(row) }),
});

const rows = createRowProjection<AgentRunRow>({
  view: 'agent_run',
  shape: 3,
  ...agentRunFold,
  columns: {
    tenant: 'text',
    principal: 'text',
    threadId: 'uuid',
    status: 'text',
    statusSince: 'bigint',
    createdAt: 'bigint',
    afterRunId: 'uuid',
  },
  indexes: [
    '(tenant, principal, id desc)',
    '(tenant, principal, status, id desc)',
    '(thread_id, id)',
    `(status, created_at) where status in ('QUEUED', 'RUNNING', 'CANCELLING')`,
    `(tenant, created_at, id) where status = 'QUEUED'`,
  ],
  columnsOf: (row) => ({
    tenant: row.tenant,
    principal: principalOf(row),
    threadId: row.threadId,
    status: row.status,
    statusSince: row.statusSince,
    createdAt: row.at,
    afterRunId: row.afterRunId,
  }),
  countedIn: (row) => ({ tenant: row.tenant, list: principalOf(row) }),
});

/** Runs by thread, by principal, and for the queries of workers. Runs of a deleted thread have no row. */
export const agentRunProjection: Projection = {
  ...rows,
  whole: ['agentThread'],
  // Only the run's stream contains what the run emits: its row is written just a few times.
  isRelevant: (type) => type !== 'RunEmitted' && type !== 'RunHandedOver',
  apply: async (trx, schema, events) => {
    await rows.apply(trx, schema, events);
    const deleted = events.filter(({ event }) => event.type === 'AgentThreadDeleted');
    if (deleted.length > 0)
      await removeThreads(
        trx,
        schema,
        deleted.map(({ streamId }) => streamId),
      );
  },
};

const removeThreads = async (trx: Sql, schema: string, threadIds: readonly string[]): Promise<void> => {
  await sql`
    with gone as (
      delete from ${sql.id(schema, 'agent_run')} where thread_id = any(${threadIds}::uuid[])
      returning tenant, principal)
    update ${sql.id(schema, 'agent_run_count')} c set n = c.n - g.n
    from (select tenant, principal, count(*) as n from gone group by tenant, principal) g
    where c.tenant = g.tenant and c.list = g.principal`.execute(trx);
};
