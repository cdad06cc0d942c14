import { type RawBuilder, sql } from 'kysely';
import type {
  AgentLineRow,
  AgentRunRow,
  AgentThreadRow,
  AgentView,
} from '../../../application/ports/agent-view.ts';
import type { RunStatus } from '../../../domain/agent-run/index.ts';
import type { Page, PageRequest } from '../../../application/ports/page.ts';
import { pageOf } from '../catalog/pages.ts';
import { PREPARED } from '../prepared-statements.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { removedThreads } from '../read-your-writes/conditions.ts';

/** Only restricted threads and runs have an array there; others have null. */
const withinGroups = (groups: readonly string[]) => sql<boolean>`(jsonb_typeof(doc->'reach') = 'array'
  and doc->'reach' <@ ${JSON.stringify(groups)}::jsonb)`;

export const createAgentView = (db: Sql): AgentView => ({
  threads: (tenant, principalId, page, only) => {
    const gone = removedThreads('agent_thread', tenant);
    const conditions = [of(tenant, principalId), ...within(only)];
    const list = { table: 'agent_thread', thread: sql`id`, gone, filtered: only !== null } as const;
    return listed<AgentThreadRow>(db, list, conditions, page, { tenant, principalId });
  },

  runs: (tenant, principalId, page, only, { threadId, status }) => {
    const gone = removedThreads('agent_run', tenant);
    const conditions = [
      of(tenant, principalId),
      ...within(only),
      ...(threadId === undefined ? [] : [sql<boolean>`thread_id = ${threadId}`]),
      ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ];
    const filtered = only !== null || threadId !== undefined || status !== undefined;
    const list = { table: 'agent_run', thread: sql`thread_id`, gone, filtered } as const;
    return listed<AgentRunRow>(db, list, conditions, page, { tenant, principalId });
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

const of = (tenant: string, principalId: string | null) =>
  sql<boolean>`tenant = ${tenant} and principal = ${principalId ?? ''}`;
const within = (only: readonly string[] | null) => (only === null ? [] : [withinGroups(only)]);

interface List {
  readonly table: 'agent_thread' | 'agent_run';
  /** The thread id of a row. */
  readonly thread: RawBuilder<unknown>;
  readonly gone: RawBuilder<readonly string[]>;
  /** Filtered lists are counted; for the whole list there is a counter. */
  readonly filtered: boolean;
}

const listed = <Row extends { readonly revision: bigint }>(
  db: Sql,
  { table, thread, gone, filtered }: List,
  conditions: readonly RawBuilder<boolean>[],
  page: PageRequest,
  counter: { readonly tenant: string; readonly principalId: string | null },
): Promise<Page<Row>> =>
  readSnapshot(db, async (trx) => {
    const from = sql.id('read', table);
    const matching = sql.join(conditions, sql` and `);
    const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
    const { rows } = await sql<StoredRow<Row>>`
      select doc, revision from ${from} where ${matching} and ${thread} <> all(${gone}) ${after}
      order by id desc limit ${page.limit + 1}`.execute(trx);
    const total = filtered
      ? sql<{ n: number }>`select count(*) as n from ${from} where ${matching} and ${thread} <> all(${gone})`
      : sql<{ n: number }>`
          select n - (select count(*) from ${from} where ${thread} = any(${gone}) and ${matching}) as n
          from ${sql.id('read', `${table}_count`)}
          where tenant = ${counter.tenant} and list = ${counter.principalId ?? ''}`;
    const counted = await total.execute(trx);
    return pageOf(
      rows.map((found) => rowOf<Row>(found)),
      page,
      counted.rows[0]?.n ?? 0,
    );
  });
