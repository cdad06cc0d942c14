import Type, { type TProperties, type TSchema } from 'typebox';
import type { AgentRunKeyEvent } from '../../../../domain/idempotency/agent-run-key.ts';
import type { AgentRunEvent } from '../../../../domain/agent-run/index.ts';
import { EXECUTION_MODES, INPUT_HISTORY_MODES, PROVIDERS } from '../../../../domain/agent-run/terms.ts';
import type { AgentThreadEvent } from '../../../../domain/agent-thread/decider.ts';
import { SCOPES } from '../../../../domain/api-key/decider.ts';
import { Count, type DataOf, fact, orNull, Sha256, Texts, Uuid } from './facts.ts';

const runFacts = {
  principal_id: orNull(Type.String()),
  parent_run_id: orNull(Uuid),
  after_run_id: orNull(Uuid),
  workflow_type: Type.String(),
  provider: orNull(Type.Enum([...PROVIDERS])),
  execution_mode: Type.Enum([...EXECUTION_MODES]),
  runtime_arn: orNull(Type.String()),
  input_history_mode: Type.Enum([...INPUT_HISTORY_MODES]),
  key_id: Type.String({ description: 'Of the API key or the person that asked' }),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  source_group_ids: orNull(Type.Array(Uuid)),
  reach: orNull(Type.Array(Uuid)),
  authz_policy: orNull(Type.String()),
  titled: Type.Boolean(),
};

export const AGENT_THREAD: DataOf<AgentThreadEvent> = {
  AgentThreadStarted: fact('A thread begins', { principal_id: orNull(Type.String()) }),
  RunAdmitted: fact('A run is part of the thread, and is pending', {
    run_id: Uuid,
    ended: Type.Array(Uuid),
    ...runFacts,
  }),
  AgentThreadDeleted: fact('Nobody can read the thread and its runs any more'),
};

/** Reference to a body in the vault. The digest is salted: it can be checked only with the body. */
const BodyRef = Type.Object({ body_id: Type.String(), digest: Sha256, bytes: Count });
const OpenToolCalls = Type.Array(
  Type.Object({ call_id: Type.String(), tool: Type.String(), read_only: Type.Boolean() }),
  { description: 'Tools that were called and did not answer' },
);
const step = { step: Type.Integer({ minimum: 1 }) };
const Usage = Type.Object({ input_tokens: Count, output_tokens: Count });

const emission = (kind: string, properties: TProperties): TSchema =>
  Type.Object({ kind: Type.Literal(kind), ...properties });
const Emission = Type.Union([
  emission('step', step),
  emission('model_called', { ...step, model: Type.String(), message_count: Count }),
  emission('text', step),
  emission('reasoning', step),
  emission('model_answered', {
    ...step,
    model: Type.String(),
    usage: orNull(Usage),
    finish_reason: Type.String(),
  }),
  emission('tool_called', {
    ...step,
    call_id: Type.String(),
    tool: Type.String(),
    read_only: Type.Boolean(),
  }),
  emission('tool_answered', {
    ...step,
    call_id: Type.String(),
    is_error: Type.Boolean(),
    truncated: Type.Boolean(),
  }),
  emission('citations', { content_ids: Texts }),
  emission('note', { code: Type.String() }),
]);

export const AGENT_RUN: DataOf<AgentRunEvent> = {
  RunQueued: fact('A run waits for a worker, or for the run before it', { thread_id: Uuid, ...runFacts }),
  RunStarted: fact('A worker executes the run; what it knows of the thread is settled', {
    worker_id: Type.String(),
    context_start_run_id: orNull(Uuid),
    context_truncated: Type.Boolean(),
    context_messages: Count,
    context_digest: Sha256,
  }),
  RunHandedOver: fact(
    'The run is put to a runtime that somebody else operates, which has not been asked yet',
    {
      runtime_arn: Type.String(),
      runtime_session_id: Type.String(),
      request: BodyRef,
    },
  ),
  RunEmitted: fact('Something happened in the run', { emission: Emission, body: orNull(BodyRef) }),
  RunSucceeded: fact('The run has its result', { result: BodyRef, messages: BodyRef }),
  RunFailed: fact('The run came to nothing', {
    code: Type.String(),
    message: orNull(BodyRef),
    open_tool_calls: OpenToolCalls,
  }),
  RunCancelRequested: fact('The run is asked to stop'),
  RunCancelled: fact('The run was stopped', {
    by: Type.Enum(['caller', 'worker', 'timeout', 'lost']),
    code: orNull(Type.String()),
    message: orNull(BodyRef),
    open_tool_calls: OpenToolCalls,
  }),
};

export const AGENT_RUN_KEY: DataOf<AgentRunKeyEvent> = {
  AgentRunKeyClaimed: fact('An Idempotency-Key leads to a run', { thread_id: Uuid, run_id: Uuid }),
  AgentRunKeyReleased: fact('A request that held it was refused', { run_id: Uuid }),
};
