import { sql } from 'kysely';
import type {
  AgentLineRow,
  AgentRunRow,
  AgentThreadRow,
  AgentView,
} from '../../../application/ports/agent-view.ts';
import type { RunStatus } from '../../../domain/agent-run/index.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { removedThreads } from '../read-your-writes/conditions.ts';
import { listRows, withinGroups } from './row-list.ts';

export const createAgentView = (db: Sql): AgentView => ({
  threads: (tenant, principalId, page, only) => {
    const gone = { column: sql`id`, ids: removedThreads('agent_thread', tenant) };
    const filters = withinGroups('reach', only);
    return listRows<AgentThreadRow>(
      db,
      { table: 'agent_thread', ...of(tenant, principalId), filters, gone },
      page,
    );
  },

  runs: (tenant, principalId, page, only, { threadId, status }) => {
    const gone = { column: sql`thread_id`, ids: removedThreads('agent_run', tenant) };
    const filters = [
      ...withinGroups('reach', only),
      ...(threadId === undefined ? [] : [sql<boolean>`thread_id = ${threadId}`]),
      ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ];
    return listRows<AgentRunRow>(db, { table: 'agent_run', ...of(tenant, principalId), filters, gone }, page);
  },

  lineOf: async (tenant, runId, limit) => {
    const { rows } = await sql<AgentLineRow>`
      with recursive line as (
        select id, doc, 1 as nth from read.agent_run where id = ${runId} and tenant = ${tenant}
        union all
        select r.id, r.doc, nth + 1 from line join read.agent_run r on r.id = (line.doc->>'parent_run_id')::uuid
        where nth < ${limit} and r.tenant = ${tenant})
      select id, doc->>'parent_run_id' as parent_run_id, doc->>'input_history_mode' as input_history_mode,
        doc->>'messages_body_id' as messages_body_id
      from line order by nth ${PREPARED}`.execute(db);
    return rows;
  },

  runsOf: async (tenant, threadId) => {
    // A thread may have thousands of runs. The query reads only the fields that a tree shows, as one text,
    // because reading a result row costs ten times as much as splitting a line. No value contains a blank. It
    // sorts the lines, because the rows are long; `||` and `->>` take two thirds of the time of `concat` and
    // `->`.
    const { rows } = await sql<{ readonly runs: string | null }>`
      select string_agg(line, ';') as runs from (
        select id || ' ' || status || ' ' || created_at || ' ' || coalesce(doc->>'titled', '') || ' '
          || coalesce(doc->>'parent_run_id', '') as line
        from read.agent_run where thread_id = ${threadId} and tenant = ${tenant} order by id) run ${PREPARED}`.execute(
      db,
    );
    return (rows[0]?.runs ?? '')
      .split(';')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', status, at, titled, parent = ''] = line.split(' ');
        const parentRunId = parent === '' ? null : parent;
        return {
          id,
          threadId,
          parentRunId,
          status: status as RunStatus,
          at: Number(at),
          titled: titled === 'true',
        };
      });
  },
});

const of = (tenant: string, principalId: string | null) => ({
  tenant,
  list: principalId ?? '',
  condition: sql<boolean>`principal = ${principalId ?? ''}`,
});
