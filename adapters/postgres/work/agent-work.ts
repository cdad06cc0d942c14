import { AGENT_RUN } from '../../../application/agents/runs/kinds-of-work.ts';
import type { AgentRunRow, AgentRunRows } from '../../../application/ports/agent-view.ts';
import { CANCEL_LIMIT, QUEUE_LIMIT, RUN_LIMIT } from '../../../domain/agent-run/index.ts';
import type { Sql } from '../database-schema.ts';
import { opaqueToPlanner } from '../prepared-statements.ts';
import { rowOf } from '../projections/projection.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Pending: queued runs that need only a worker. In progress: started runs until they end, and runs that were
 * queued for too long. A run waits for the earlier runs of its thread; a run that ended before it started
 * does not prove that those before it have ended.
 */
export const agentRunWork: WorkKind = {
  kind: AGENT_RUN,
  pending: (now) => sql`
    select r.id, r.tenant, r.created_at as since from read.agent_run r
    where r.status = 'QUEUED' and r.created_at > ${opaqueToPlanner(now - QUEUE_LIMIT, 'bigint')}
      and (r.after_run_id is null or (
        with recursive before as (
          select b.status, b.after_run_id, b.doc from read.agent_run b where b.id = r.after_run_id
          union all
          select b.status, b.after_run_id, b.doc
          from before join read.agent_run b on b.id = before.after_run_id
          where before.status in ('FAILED', 'CANCELLED') and before.doc->>'started_at' is null)
        select bool_and(status in ('SUCCEEDED', 'FAILED', 'CANCELLED')) from before))`,
  tenants: sql`
    with recursive t as (
      (select tenant from read.agent_run where status = 'QUEUED' order by tenant limit 1)
      union all
      select (
        select r.tenant from read.agent_run r where r.status = 'QUEUED' and r.tenant > t.tenant
        order by r.tenant limit 1)
      from t where t.tenant is not null)
    select tenant from t where tenant is not null`,
  inProgress: (now) => sql`
    select id, tenant,
      status_since <= case status when 'RUNNING' then ${now - RUN_LIMIT}::bigint
        else ${now - CANCEL_LIMIT}::bigint end as overdue,
      jsonb_build_object('status', status) as claim
    from read.agent_run where status in ('RUNNING', 'CANCELLING')
    union all
    select id, tenant, true as overdue, jsonb_build_object('status', status) as claim
    from read.agent_run where status = 'QUEUED' and created_at <= ${now - QUEUE_LIMIT}`,
};

export const createAgentRunRows = (db: Sql): AgentRunRows => ({
  admitted: async (id) => {
    const found = await db
      .selectFrom('read.agentRun')
      .select(['doc', 'revision'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (found === undefined) return null;
    const row = rowOf<AgentRunRow>(found);
    return {
      context: row.context,
      facts: {
        threadId: row.threadId,
        principalId: row.principalId,
        parentRunId: row.parentRunId,
        afterRunId: row.afterRunId,
        workflowType: row.workflowType,
        provider: row.provider,
        executionMode: row.executionMode,
        runtimeArn: row.runtimeArn,
        inputHistoryMode: row.inputHistoryMode,
        keyId: row.keyId,
        scopes: row.scopes,
        sourceGroupIds: row.sourceGroupIds,
        reach: row.reach,
        authzPolicy: row.authzPolicy,
        titled: row.titled,
        at: row.at,
      },
    };
  },
  forgetLeases: async () => {
    await sql`
      delete from work.work_lease
      where kind = ${AGENT_RUN} and (until < now() - interval '1 hour' or not_before < now())`.execute(db);
  },
});

/** The queries for one kind of work. An index should support each of them. */
export interface WorkKind {
  readonly kind: string;
  /**
   * Selects `id, tenant, since` of pending work. `since` is in Unix milliseconds; the oldest work comes
   * first.
   */
  readonly pending: (now: number) => RawBuilder<unknown>;
  /**
   * Selects `tenant`: at least all tenants with pending work, with an index lookup per tenant. A claim then
   * runs `pending` for each tenant, limited to what one claim can take, with an index that begins with the
   * tenant. If undefined, every claim scans all pending work.
   */
  readonly tenants?: RawBuilder<unknown>;
  /**
   * Selects `id, tenant, overdue, claim` of work that should be in progress: whether it has exceeded its
   * limit, and, as jsonb, what the handler of this kind must know about the claim. If undefined, such work
   * has only its lease.
   */
  readonly inProgress?: (now: number) => RawBuilder<unknown>;
}
