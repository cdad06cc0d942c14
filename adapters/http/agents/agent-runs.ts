import type { CancelRun } from '../../../application/agents/runs/cancel-run.ts';
import type { CreateRun } from '../../../application/agents/runs/create-run.ts';
import type { AgentLists } from '../../../application/agents/runs/lists.ts';
import type { ReadRun } from '../../../application/agents/runs/read-run.ts';
import type { FollowedRun } from '../../../application/agents/runs/run-events.ts';
import type { RunRequest } from '../../../application/agents/runs/run-request.ts';
import type { AgentRunFilter } from '../../../application/ports/agent-view.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type AgUiEvent, NOTHING_OPEN, agUiOf, resumed } from './agui.ts';
import { accepted, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { HttpProblem } from '../problem.ts';
import { agentRunRecord, agentRunSummary } from '../records/agent-record.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  AgentRun,
  AgentRunCancel,
  AgentRunCreate,
  AgentRunList,
  AgentRunQuery,
  type AgentMessage as Message,
  PrincipalQuery,
} from '../schemas/agent.ts';
import type { ServerSentEvent } from '../stream-response.ts';

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
    rewinds: 'run_id',
    erases: true,
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
    rewinds: 'run_id',
    erases: true,
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

/** @throws HttpProblem invalid_request for a message whose fields do not match its role */
const runRequestOf = (body: AgentRunCreate): RunRequest => ({
  ...(body.thread_id !== undefined && { threadId: body.thread_id.toLowerCase() }),
  ...(body.parent_run_id !== undefined && { parentRunId: body.parent_run_id?.toLowerCase() ?? null }),
  workflowType: body.workflow_type,
  provider: body.provider ?? null,
  executionMode: body.execution_mode ?? 'LOCAL',
  runtimeArn: body.runtime_arn ?? null,
  mcpSessionId: body.mcp_session_id ?? null,
  inputHistoryMode: body.input_history_mode ?? 'delta_v1',
  input: { ...body.input, messages: body.input.messages.map(messageOf) },
  principalId: body.principal_id ?? null,
  ...(body.authz_policy !== undefined && { authzPolicy: body.authz_policy }),
  title: body.title ?? null,
  concurrency: body.concurrency ?? 'reject',
});

const messageOf = (message: Message): AgentMessage => {
  const { role, content, tool_calls: toolCalls, tool_call_id: toolCallId } = message;
  if (toolCalls !== undefined && role !== 'assistant') throw invalid('tool_calls go with the role assistant');
  if (role === 'tool') {
    if (toolCallId === undefined) throw invalid('a message of the role tool needs its tool_call_id');
    return { role, content, toolCallId };
  }
  if (toolCallId !== undefined) throw invalid('tool_call_id goes with the role tool');
  if (role !== 'assistant') return { role, content };
  return { role, content, ...(toolCalls !== undefined && { toolCalls }) };
};

const invalid = (message: string): HttpProblem =>
  new HttpProblem('invalid_request', `input.messages: ${message}`);

/** The key may be a header or in the body. @throws HttpProblem invalid_request when both are sent and differ */
const keyOf = (header: string | undefined, inBody: string | undefined): string | undefined => {
  if (header === undefined || inBody === undefined || header === inBody) return header ?? inBody;
  throw new HttpProblem(
    'invalid_request',
    'idempotency_key is another name of the header Idempotency-Key: send one of the two',
  );
};

/**
 * A run as agent-UI events: the past ones, then new ones. The last event of each revision carries the revision as its
 * id, so that a client that disconnected in between gets the revision again, and none is skipped.
 *
 * @param after the revision after which a client resumes, before the end of the run; the stream then begins with what
 * is open there
 */
export async function* agUiStream(
  { past, live }: FollowedRun,
  after: bigint | undefined,
): AsyncGenerator<ServerSentEvent> {
  let state = NOTHING_OPEN;
  const known = after === undefined ? [] : past.filter(({ revision }) => revision <= after);
  for (const told of known) state = agUiOf(state, told).state;
  const last = known.at(-1);
  if (last !== undefined) yield* framed(resumed(last, state), last.revision);
  for await (const told of all(past.slice(known.length), live)) {
    const next = agUiOf(state, told);
    state = next.state;
    yield* framed(next.events, told.revision);
  }
}

async function* all<T>(past: readonly T[], live: AsyncIterable<T>): AsyncGenerator<T> {
  yield* past;
  try {
    yield* live;
  } catch (error) {
    // The thread was deleted meanwhile: the stream ends.
    if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
  }
}

function* framed(events: readonly AgUiEvent[], revision: bigint | undefined): Generator<ServerSentEvent> {
  for (const [i, data] of events.entries()) {
    const isLast = i === events.length - 1;
    yield { ...(isLast && revision !== undefined && { id: revision.toString() }), data };
  }
}
