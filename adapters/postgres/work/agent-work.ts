import { AGENT_RUN } from '../../../application/agents/runs/kinds-of-work.ts';
import type { AgentRunRow, AgentRunRows } from '../../../application/ports/agent-view.ts';
import { CANCEL_LIMIT, QUEUE_LIMIT, RUN_LIMIT } from '../../../domain/agent-run/index.ts';
import type { Sql } from '../database-schema.ts';
import { opaqueToPlanner } from '../prepared-statements.ts';
import { rowOf } from '../projections/projection.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Runs that wait for a worker alone; those that were begun, until they are over, and those that wait for too long. A run
 * waits for those before it in its thread: one that ended before it began says nothing of those before that one.
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
  underWay: (now) => sql`
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

/** What the tables of this database say of one kind of work. Each question is to be served by an index. */
export interface WorkKind {
  readonly kind: string;
  /** Selects `id, tenant, since` of pending work; `since`: Unix milliseconds, the work pending for longest comes first. */
  readonly pending: (now: number) => RawBuilder<unknown>;
  /**
   * Selects `tenant`: all of which something is pending, and others at will, by a look at an index for each. Then `pending` is asked
   * for each of them, for the little that can be claimed at once, and has an index that begins with the tenant. Absent: all
   * that is pending is looked through by every claim.
   */
  readonly tenants?: RawBuilder<unknown>;
  /**
   * Selects `id, tenant, overdue, claim` of what somebody should be at work on: whether a limit has passed, and, as
   * jsonb, what the handler of this kind has to know of the claim. Absent: its lease is all there is of such work.
   */
  readonly underWay?: (now: number) => RawBuilder<unknown>;
}
