import type { CancelRun } from '../../../application/agents/runs/cancel-run.ts';
import type { CreateRun } from '../../../application/agents/runs/create-run.ts';
import type { AgentLists } from '../../../application/agents/runs/lists.ts';
import type { ReadRun } from '../../../application/agents/runs/read-run.ts';
import type { AgentRunFilter } from '../../../application/ports/agent-view.ts';
import { accepted, ok } from '../answer.ts';
import { keyOf, runRequestOf } from '../agents/run-request.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { agentRunRecord, agentRunSummary } from '../records/agent-record.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  AgentRun,
  AgentRunCancel,
  AgentRunCreate,
  AgentRunList,
  AgentRunQuery,
  PrincipalQuery,
} from '../schemas/agent.ts';

export interface AgentRunRouteDeps {
  readonly createRun: CreateRun;
  readonly cancelRun: CancelRun;
  readonly readRun: ReadRun;
  readonly agentLists: AgentLists;
}

const common = { tag: 'agents', scope: 'inference:run' } as const;

export const agentRunRoutes = (deps: AgentRunRouteDeps): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'post',
    path: '/agent/runs',
    operationId: 'createAgentRun',
    summary: 'Start a run of an agent, in a new thread or in one that goes on',
    description:
      'Experimental. The run waits for a worker, and goes on whether or not anybody listens. Workflow `chat` answers one ' +
      'question from the contents; without a language model it quotes them.',
    body: AgentRunCreate,
    idempotent: true,
    locates: true,
    writes: true,
    settles: ['agent_thread', 'agent_run'],
    answers: { 202: AgentRun },
    problems: ['not_found', 'thread_busy', 'idempotency_conflict', 'not_configured', 'schema_invalid'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const key = keyOf(idempotencyKey, body.idempotency_key);
      const { record, position, replayed } = await deps.createRun(caller, runRequestOf(body), key);
      const location = `/agent/runs/${record.runId}`;
      return { ...accepted(agentRunRecord(record), position), location, replayed };
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/agent/runs',
    operationId: 'listAgentRuns',
    summary: 'List the runs of a principal, newest first',
    description: 'Experimental. Without `principal_id` those of nobody. What was said is not in the list.',
    query: AgentRunQuery,
    reads: ['agent_run'],
    answers: { 200: AgentRunList },
    handler: async ({ caller, query }) => {
      const page = pageRequestOf(query);
      const filter: AgentRunFilter = {
        ...(query.thread_id !== undefined && { threadId: query.thread_id.toLowerCase() }),
        ...(query.status !== undefined && { status: query.status }),
      };
      const found = await deps.agentLists.runs(caller, query.principal_id ?? null, page, filter);
      const pagination = paginationOf(found, page.limit, ({ id }) => id);
      return ok({ runs: found.rows.map(agentRunSummary), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/agent/runs/{run_id}',
    operationId: 'getAgentRun',
    summary: 'Get the current state of a run',
    description: 'Experimental. Read from its events: it always holds what was written before.',
    query: PrincipalQuery,
    settles: ['agent_run', 'agent_thread'],
    answers: { 200: AgentRun },
    problems: ['not_configured'],
    handler: async ({ caller, params, query }) => {
      const { record, position } = await deps.readRun(caller, runIdIn(params), query.principal_id ?? null);
      return ok(agentRunRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/agent/runs/{run_id}/cancel',
    operationId: 'cancelAgentRun',
    summary: 'Ask a run to stop',
    description:
      'Experimental. One that waits is cancelled at once; one that runs within 30 s at the latest. One that is over is ' +
      'answered unchanged.',
    body: AgentRunCancel,
    bodyOptional: true,
    writes: true,
    settles: ['agent_run'],
    answers: { 200: AgentRun, 202: AgentRun },
    problems: ['not_configured'],
    handler: async ({ caller, params, body, res }) => {
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      const waitMs = (body.wait_seconds ?? 0) * 1_000;
      const principalId = body.principal_id ?? null;
      const done = await deps.cancelRun(caller, runIdIn(params), principalId, waitMs, gone.signal);
      const { record, position, wasOver } = done;
      const run = agentRunRecord(record);
      return wasOver ? ok(run, position) : accepted(run, position);
    },
  }),
];

const runIdIn = (params: Readonly<Record<string, string>>): string => (params['run_id'] ?? '').toLowerCase();
