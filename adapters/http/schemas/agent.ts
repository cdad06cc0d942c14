import Type, { type Static } from 'typebox';
import { RUN_STATUSES } from '../../../domain/agent-run/index.ts';
import { EXECUTION_MODES, INPUT_HISTORY_MODES, PROVIDERS } from '../../../domain/agent-run/terms.ts';
import {
  closed,
  Erased,
  Id,
  IdOrNull,
  nullable,
  pageFields,
  Pagination,
  patterned,
  policyName,
} from './common.ts';

const DateTime = Type.String({ format: 'date-time' });
/** With `as_of`. */
const endFields = {
  deleted_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'With `as_of`: when its thread was deleted since' }),
  ),
  erased: Erased,
};
const Open = (description: string) => Type.Unsafe<object>({ type: 'object', description });

export const principalField = {
  principal_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The end user on whose behalf it is held; absent: only what is held for nobody is found',
    }),
  ),
};
export const PrincipalQuery = closed(principalField);

const RunStatus = Type.Enum([...RUN_STATUSES]);
const Provider = Type.Enum([...PROVIDERS]);
const ExecutionMode = Type.Enum([...EXECUTION_MODES]);
const InputHistoryMode = Type.Enum([...INPUT_HISTORY_MODES]);
const RuntimeArn = patterned('^arn:[\\x21-\\x7e]+$', 'must be an ARN', { maxLength: 2_048 });
const McpSessionId = patterned('^[\\x21-\\x7e]+$', 'must be visible ASCII characters', { maxLength: 1_024 });

const AgentToolCall = closed({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  arguments: Type.String({ description: 'JSON, as the model gave it' }),
});
export const AgentMessage = closed({
  role: Type.Enum(['system', 'user', 'assistant', 'tool']),
  content: Type.String(),
  tool_calls: Type.Optional(Type.Array(AgentToolCall, { minItems: 1, maxItems: 100 })),
  tool_call_id: Type.Optional(
    Type.String({ description: 'Of a message of role `tool`: the call it answers' }),
  ),
});
export type AgentMessage = Static<typeof AgentMessage>;

const AgentInput = Type.Object(
  { messages: Type.Array(AgentMessage, { minItems: 1, maxItems: 200 }) },
  {
    additionalProperties: true,
    description: 'The last message is from the user. Each workflow says which further fields it knows',
  },
);

export const AgentRunCreate = closed(
  {
    thread_id: Type.Optional(Id),
    parent_run_id: Type.Optional(
      IdOrNull(
        'The run to go on from; to edit or to regenerate one, its own parent. null: beside the first run. Absent: the newest',
      ),
    ),
    workflow_type: Type.String({ minLength: 1, maxLength: 100 }),
    provider: Type.Optional(Provider),
    execution_mode: Type.Optional(Type.Enum([...EXECUTION_MODES], { default: 'LOCAL' })),
    runtime_arn: Type.Optional(RuntimeArn),
    mcp_session_id: Type.Optional(McpSessionId),
    input_history_mode: Type.Optional(
      Type.Enum([...INPUT_HISTORY_MODES], {
        default: 'delta_v1',
        description: '`legacy_full`: the messages are the whole history; `delta_v1`: what is new alone',
      }),
    ),
    input: AgentInput,
    ...principalField,
    authz_policy: Type.Optional(policyName()),
    idempotency_key: Type.Optional(
      patterned('^[\\x21-\\x7e]{1,255}$', 'must be 1 to 255 visible ASCII characters', {
        description: 'As the header `Idempotency-Key`',
      }),
    ),
    title: Type.Optional(patterned('\\S', 'must not be blank', { maxLength: 200 })),
    concurrency: Type.Optional(
      Type.Enum(['reject', 'enqueue'], {
        default: 'reject',
        description: 'What happens while another run of the thread is not over',
      }),
    ),
  },
  {
    examples: [
      { workflow_type: 'chat', input: { messages: [{ role: 'user', content: 'How do I take a backup?' }] } },
    ],
  },
);
export type AgentRunCreate = Static<typeof AgentRunCreate>;

const runFields = {
  ...endFields,
  run_id: Id,
  thread_id: Id,
  parent_run_id: IdOrNull(
    'The run that it branched from; null: it begins the thread, or stands beside that which did',
  ),
  workflow_type: Type.String(),
  provider: Type.Optional(Provider),
  execution_mode: ExecutionMode,
  status: RunStatus,
  input_history_mode: InputHistoryMode,
  context_start_run_id: IdOrNull('The oldest run in the reconstructed context; null: none was needed'),
  context_truncated: Type.Boolean({ description: 'Older turns were left out to stay within the budget' }),
  runtime_arn: Type.Optional(Type.String()),
  trace_id: nullable(
    { pattern: '^[0-9a-f]{32}$' },
    'Of the stored W3C trace context; null where there is none, or no valid one',
  ),
  principal_id: Type.Optional(Type.String()),
  created_at: DateTime,
  started_at: Type.Optional(DateTime),
  finished_at: Type.Optional(DateTime),
};
const AgentRunError = Type.Object({
  code: Type.String(),
  message: Type.Optional(Type.String()),
  open_tool_calls: Type.Optional(
    Type.Array(Type.Object({ call_id: Type.String(), tool: Type.String(), read_only: Type.Boolean() }), {
      description: 'Tools that were called and did not answer: they may have acted',
    }),
  ),
});
export const AgentRunSummary = Type.Object({ ...runFields, error: Type.Optional(AgentRunError) });
export type AgentRunSummary = Static<typeof AgentRunSummary>;
export const AgentRun = Type.Object({
  ...runFields,
  title: Type.Optional(Type.String()),
  mcp_session_id: Type.Optional(Type.String()),
  idempotency_key: Type.Optional(Type.String()),
  input: Open('As it was asked, with what redaction policies hide replaced'),
  result: Type.Optional(Open('What the run came to: each workflow says what is in it')),
  error: Type.Optional(AgentRunError),
});
export type AgentRun = Static<typeof AgentRun>;

const AgentRunNode = Type.Object({
  run_id: Id,
  parent_run_id: IdOrNull('null: at the root'),
  status: RunStatus,
  title: nullable({}, 'null: it has none'),
  created_at: DateTime,
});
export const AgentThreadDetail = Type.Object({
  ...endFields,
  thread_id: Id,
  runs: Type.Array(AgentRunNode, {
    description:
      'All runs, a tree by parent_run_id, each after its parent. Siblings come from edits and regenerations',
  }),
});
export type AgentThreadDetail = Static<typeof AgentThreadDetail>;
export const AgentThread = Type.Object({
  ...endFields,
  thread_id: Id,
  principal_id: Type.Optional(Type.String()),
  title: nullable({}, 'That of the first run'),
  run_count: Type.Integer(),
  created_at: DateTime,
  updated_at: DateTime,
});
export type AgentThread = Static<typeof AgentThread>;
export const AgentThreadList = Type.Object({ threads: Type.Array(AgentThread), pagination: Pagination });
export const AgentThreadQuery = closed({ ...pageFields, ...principalField });

export const AgentRunList = Type.Object({ runs: Type.Array(AgentRunSummary), pagination: Pagination });
export const AgentRunQuery = closed({
  ...pageFields,
  ...principalField,
  thread_id: Type.Optional(Id),
  status: Type.Optional(RunStatus),
});
export const AgentRunCancel = closed(
  {
    ...principalField,
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: 'How long to wait until the run is over',
      }),
    ),
  },
  { examples: [{ wait_seconds: 5 }] },
);
export type AgentRunCancel = Static<typeof AgentRunCancel>;
