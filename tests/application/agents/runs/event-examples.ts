import type { AgentRunKeyEvent } from '../../../../domain/idempotency/agent-run-key.ts';
import type { AgentRunEvent, BodyRef, Emission } from '../../../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../../../domain/agent-thread/decider.ts';

type AgentEvent = AgentThreadEvent | AgentRunEvent | AgentRunKeyEvent;
type Examples = { readonly [T in AgentEvent['type']]: readonly Extract<AgentEvent, { type: T }>[] };

const at = 1_763_650_000_000;
const threadId = '019a0000-0000-7000-8000-0000000000a1';
const runId = '019a0000-0000-7000-8000-0000000000a2';
const parentRunId = '019a0000-0000-7000-8000-0000000000a3';
const keyId = '019a0000-0000-7000-8000-0000000000a4';
const group = '019a0000-0000-7000-8000-0000000000a5';
const digest = 'c'.repeat(64);
const body = (name: string): BodyRef => ({ bodyId: `${runId}/${name}`, digest, bytes: 212 });

const first = {
  principalId: null,
  parentRunId: null,
  afterRunId: null,
  workflowType: 'chat',
  provider: null,
  executionMode: 'LOCAL',
  runtimeArn: null,
  inputHistoryMode: 'delta_v1',
  keyId,
  scopes: ['inference:run', 'knowledge:read'],
  sourceGroupIds: null,
  reach: null,
  authzPolicy: null,
  titled: false,
  at,
} as const;
const second = {
  ...first,
  principalId: 'jo',
  parentRunId,
  afterRunId: parentRunId,
  workflowType: 'research',
  provider: 'PROVIDER_B',
  executionMode: 'MANAGED_RUNTIME',
  runtimeArn: 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/a',
  inputHistoryMode: 'legacy_full',
  sourceGroupIds: [group],
  reach: [group],
  authzPolicy: 'readers',
  titled: true,
} as const;
const emissions: readonly (readonly [Emission, string | null])[] = [
  [{ kind: 'step', step: 1 }, null],
  [{ kind: 'model_called', step: 1, model: 'small-1', messageCount: 4 }, 'e0'],
  [{ kind: 'text', step: 1 }, 'e1'],
  [
    {
      kind: 'model_answered',
      step: 1,
      model: 'small-1',
      usage: { inputTokens: 812, outputTokens: 95 },
      finishReason: 'tool_calls',
    },
    'e2',
  ],
  [{ kind: 'tool_called', step: 1, callId: 'call-1', tool: 'search', readOnly: true }, 'e3'],
  [{ kind: 'tool_answered', step: 1, callId: 'call-1', isError: false, truncated: true }, 'e4'],
  [{ kind: 'citations', contentIds: [group] }, null],
  [{ kind: 'note', code: 'tool_cut' }, 'e5'],
];
const openToolCalls = [{ callId: 'call-2', tool: 'mail.send', readOnly: false }];

export const AGENT_EXAMPLES: Examples = {
  AgentThreadStarted: [
    { type: 'AgentThreadStarted', principalId: null, at },
    { type: 'AgentThreadStarted', principalId: 'jo', at },
  ],
  RunAdmitted: [
    { type: 'RunAdmitted', runId, ended: [], ...first },
    { type: 'RunAdmitted', runId, ended: [parentRunId], ...second },
  ],
  AgentThreadDeleted: [{ type: 'AgentThreadDeleted', at }],
  RunQueued: [
    { type: 'RunQueued', threadId, ...first },
    { type: 'RunQueued', threadId, ...second },
  ],
  RunStarted: [
    {
      type: 'RunStarted',
      workerId: 'host:1:a',
      contextStartRunId: null,
      contextTruncated: false,
      contextMessages: 0,
      contextDigest: digest,
      at,
    },
    {
      type: 'RunStarted',
      workerId: 'host:1:a',
      contextStartRunId: parentRunId,
      contextTruncated: true,
      contextMessages: 12,
      contextDigest: digest,
      at,
    },
  ],
  RunHandedOver: [
    {
      type: 'RunHandedOver',
      runtimeArn: second.runtimeArn,
      runtimeSessionId: `knowledger-${threadId}`,
      request: body('handover'),
      at,
    },
  ],
  RunEmitted: emissions.map(([emission, name]) => ({
    type: 'RunEmitted',
    emission,
    body: name === null ? null : body(name),
    at,
  })),
  RunSucceeded: [{ type: 'RunSucceeded', result: body('result'), messages: body('messages'), at }],
  RunFailed: [
    { type: 'RunFailed', code: 'worker_lost', message: null, openToolCalls, at },
    { type: 'RunFailed', code: 'provider_error', message: body('error'), openToolCalls: [], at },
  ],
  RunCancelRequested: [{ type: 'RunCancelRequested', at }],
  RunCancelled: [
    { type: 'RunCancelled', by: 'caller', code: null, message: null, openToolCalls: [], at },
    { type: 'RunCancelled', by: 'worker', code: 'provider_error', message: body('error'), openToolCalls, at },
  ],
  AgentRunKeyClaimed: [{ type: 'AgentRunKeyClaimed', threadId, runId, at }],
  AgentRunKeyReleased: [{ type: 'AgentRunKeyReleased', runId, at }],
};
