import fc from 'fast-check';
import type { AgentRunKeyEvent } from '../../../../domain/idempotency/agent-run-key.ts';
import type { AgentRunEvent, BodyRef, Emission } from '../../../../domain/agent-run/index.ts';
import { EXECUTION_MODES, INPUT_HISTORY_MODES, PROVIDERS } from '../../../../domain/agent-run/terms.ts';
import type { AgentThreadEvent } from '../../../../domain/agent-thread/decider.ts';
import { SCOPES } from '../../../../domain/api-key/decider.ts';

type AgentEvent = AgentThreadEvent | AgentRunEvent | AgentRunKeyEvent;
type Generators = { readonly [T in AgentEvent['type']]: fc.Arbitrary<Extract<AgentEvent, { type: T }>> };

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const at = fc.integer({ min: 0, max: 4_102_444_800_000 });
const count = fc.nat(1_000_000);
const id = fc.uuid();
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const groups = orNull(fc.array(id, { maxLength: 3 }));
const body: fc.Arbitrary<BodyRef> = fc.record({
  bodyId: text,
  digest: fc.stringMatching(/^[0-9a-f]{64}$/),
  bytes: count,
});
const call = { callId: text, tool: text, readOnly: fc.boolean() };
const openToolCalls = fc.array(fc.record(call), { maxLength: 2 });

const facts = {
  principalId: orNull(text),
  parentRunId: orNull(id),
  afterRunId: orNull(id),
  workflowType: text,
  provider: orNull(fc.constantFrom(...PROVIDERS)),
  executionMode: fc.constantFrom(...EXECUTION_MODES),
  runtimeArn: orNull(text),
  inputHistoryMode: fc.constantFrom(...INPUT_HISTORY_MODES),
  keyId: id,
  scopes: fc.subarray([...SCOPES]),
  sourceGroupIds: groups,
  reach: groups,
  authzPolicy: orNull(text),
  titled: fc.boolean(),
  at,
};
const step = fc.integer({ min: 1, max: 50 });
const emission: fc.Arbitrary<Emission> = fc.oneof(
  fc.record({ kind: is('step'), step }),
  fc.record({ kind: is('model_called'), step, model: text, messageCount: count }),
  fc.record({ kind: is('text'), step }),
  fc.record({ kind: is('reasoning'), step }),
  fc.record({
    kind: is('model_answered'),
    step,
    model: text,
    usage: orNull(fc.record({ inputTokens: count, outputTokens: count })),
    finishReason: text,
  }),
  fc.record({ kind: is('tool_called'), step, ...call }),
  fc.record({
    kind: is('tool_answered'),
    step,
    callId: text,
    isError: fc.boolean(),
    truncated: fc.boolean(),
  }),
  fc.record({ kind: is('citations'), contentIds: fc.array(id, { maxLength: 3 }) }),
  fc.record({ kind: is('note'), code: text }),
);

export const AGENT_EVENTS: Generators = {
  AgentThreadStarted: fc.record({ type: is('AgentThreadStarted'), principalId: orNull(text), at }),
  RunAdmitted: fc.record({
    type: is('RunAdmitted'),
    runId: id,
    ended: fc.array(id, { maxLength: 3 }),
    ...facts,
  }),
  AgentThreadDeleted: fc.record({ type: is('AgentThreadDeleted'), at }),
  RunQueued: fc.record({ type: is('RunQueued'), threadId: id, ...facts }),
  RunStarted: fc.record({
    type: is('RunStarted'),
    workerId: text,
    contextStartRunId: orNull(id),
    contextTruncated: fc.boolean(),
    contextMessages: count,
    contextDigest: fc.stringMatching(/^[0-9a-f]{64}$/),
    at,
  }),
  RunHandedOver: fc.record({
    type: is('RunHandedOver'),
    runtimeArn: text,
    runtimeSessionId: text,
    request: body,
    at,
  }),
  RunEmitted: fc.record({ type: is('RunEmitted'), emission, body: orNull(body), at }),
  RunSucceeded: fc.record({ type: is('RunSucceeded'), result: body, messages: body, at }),
  RunFailed: fc.record({ type: is('RunFailed'), code: text, message: orNull(body), openToolCalls, at }),
  RunCancelRequested: fc.record({ type: is('RunCancelRequested'), at }),
  RunCancelled: fc.record({
    type: is('RunCancelled'),
    by: fc.constantFrom('caller', 'worker', 'timeout', 'lost'),
    code: orNull(text),
    message: orNull(body),
    openToolCalls,
    at,
  }),
  AgentRunKeyClaimed: fc.record({ type: is('AgentRunKeyClaimed'), threadId: id, runId: id, at }),
  AgentRunKeyReleased: fc.record({ type: is('AgentRunKeyReleased'), runId: id, at }),
};
