import type { RunRequest } from '../../../application/agents/runs/run-request.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { HttpProblem } from '../problem.ts';
import type { AgentMessage as Message, AgentRunCreate } from '../schemas/agent.ts';

/** @throws HttpProblem invalid_request for a message whose fields do not go with its role */
export const runRequestOf = (body: AgentRunCreate): RunRequest => ({
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

/** The key may come as a header or in the body. @throws HttpProblem invalid_request where both are sent and differ */
export const keyOf = (header: string | undefined, inBody: string | undefined): string | undefined => {
  if (header === undefined || inBody === undefined || header === inBody) return header ?? inBody;
  throw new HttpProblem(
    'invalid_request',
    'idempotency_key is another name of the header Idempotency-Key: send one of the two',
  );
};
