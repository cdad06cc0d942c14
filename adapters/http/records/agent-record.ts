import type { AgentTree, Titled } from '../../../application/agents/runs/lists.ts';
import { storedMessages } from '../../../application/agents/runs/messages.ts';
import type { RunRecord } from '../../../application/agents/runs/read-run.ts';
import type { RunEventView } from '../../../application/agents/runs/run-event-view.ts';
import type { AgentRunRow, AgentThreadRow } from '../../../application/ports/agent-view.ts';
import type { AgentRun as Run, OpenToolCall } from '../../../domain/agent-run/index.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import type { JsonText } from '../json-response.ts';
import type { AgentRunEvent } from '../schemas/agent-event.ts';
import type { AgentRun, AgentRunSummary, AgentThread, AgentThreadDetail } from '../schemas/agent.ts';

/**
 * Formats Unix milliseconds as RFC 3339. Times within one second share most of the text, and a tree has thousands of
 * them.
 */
const dateTime = (at: number): string => {
  const second = Math.floor(at / 1_000);
  if (second !== last.second) last = { second, text: new Date(second * 1_000).toISOString().slice(0, -4) };
  return `${last.text}${String(at - second * 1_000).padStart(3, '0')}Z`;
};
let last = { second: Number.NaN, text: '' };

type Facts = Pick<
  Run,
  | 'threadId'
  | 'parentRunId'
  | 'workflowType'
  | 'provider'
  | 'executionMode'
  | 'status'
  | 'inputHistoryMode'
  | 'contextStartRunId'
  | 'contextTruncated'
  | 'runtimeArn'
  | 'principalId'
  | 'at'
  | 'startedAt'
  | 'finishedAt'
>;

const summary = (runId: string, run: Facts, traceId: string | null): Omit<AgentRunSummary, 'error'> => ({
  run_id: runId,
  thread_id: run.threadId,
  parent_run_id: run.parentRunId,
  workflow_type: run.workflowType,
  ...(run.provider !== null && { provider: run.provider }),
  execution_mode: run.executionMode,
  status: run.status,
  input_history_mode: run.inputHistoryMode,
  context_start_run_id: run.contextStartRunId,
  context_truncated: run.contextTruncated,
  ...(run.runtimeArn !== null && { runtime_arn: run.runtimeArn }),
  trace_id: traceId,
  ...(run.principalId !== null && { principal_id: run.principalId }),
  created_at: dateTime(run.at),
  ...(run.startedAt !== null && { started_at: dateTime(run.startedAt) }),
  ...(run.finishedAt !== null && { finished_at: dateTime(run.finishedAt) }),
});

export const agentRunSummary = (row: AgentRunRow): AgentRunSummary => ({
  ...summary(row.id, row, traceIdOf(row.context.traceparent)),
  ...(row.errorCode !== null && { error: { code: row.errorCode } }),
});

export const agentRunRecord = (run: RunRecord): AgentRun => ({
  ...summary(run.runId, run, run.traceId),
  ...(run.title !== null && { title: run.title }),
  ...(run.mcpSessionId !== null && { mcp_session_id: run.mcpSessionId }),
  ...(run.idempotencyKey !== null && { idempotency_key: run.idempotencyKey }),
  input: { ...run.input, messages: storedMessages(run.input.messages) },
  ...(run.resultBody !== null && { result: run.resultBody as object }),
  ...(run.error !== null && { error: errorRecord(run) }),
});

const errorRecord = ({ error, errorMessage }: RunRecord): NonNullable<AgentRun['error']> => {
  const { code = '', openToolCalls = [] } = error ?? {};
  return {
    code,
    ...(errorMessage !== null && { message: errorMessage }),
    ...(openToolCalls.length > 0 && { open_tool_calls: openToolCalls.map(openToolCall) }),
  };
};
const openToolCall = ({ callId, tool, readOnly }: OpenToolCall) => ({
  call_id: callId,
  tool,
  read_only: readOnly,
});

/**
 * Serialised directly: a thread may have thousands of runs. Ids and statuses contain nothing that JSON would escape.
 */
export const agentThreadDetail = (
  threadId: string,
  { rows, titles }: AgentTree,
): JsonText<AgentThreadDetail> => {
  let runs = '';
  for (const { id, parentRunId, status, at } of rows) {
    const parent = parentRunId === null ? 'null' : `"${parentRunId}"`;
    const title = titles.get(id);
    runs +=
      `${runs === '' ? '' : ','}{"run_id":"${id}","parent_run_id":${parent},"status":"${status}",` +
      `"title":${title === undefined ? 'null' : JSON.stringify(title)},"created_at":"${dateTime(at)}"}`;
  }
  return `{"thread_id":${JSON.stringify(threadId)},"runs":[${runs}]}`;
};

export const agentThreadRecord = (row: Titled<AgentThreadRow>): AgentThread => ({
  thread_id: row.id,
  ...(row.principalId !== null && { principal_id: row.principalId }),
  title: row.title,
  run_count: row.runCount,
  created_at: dateTime(row.createdAt),
  updated_at: dateTime(row.updatedAt),
});

export const agentEventRecord = (told: RunEventView): AgentRunEvent => ({
  run_id: told.runId,
  revision: Number(told.revision),
  type: told.event.type,
  time: dateTime(told.event.at),
  status: told.status,
  data: told.data,
  body: told.body,
  trace_id: told.traceId,
});
