import type { HttpDeps } from '../../../adapters/http/deps.ts';
import type { RunRecord } from '../../../application/agents/runs/read-run.ts';
import type { RunEventView } from '../../../application/agents/runs/run-event-view.ts';
import type { AgentRunRow, AgentThreadRow } from '../../../application/ports/agent-view.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ID, NOW, OTHER_ID, POSITION } from './fake-records.ts';

const facts = {
  threadId: OTHER_ID,
  principalId: 'jo',
  parentRunId: null,
  afterRunId: null,
  workflowType: 'chat',
  provider: 'PROVIDER_B',
  executionMode: 'LOCAL',
  runtimeArn: null,
  inputHistoryMode: 'delta_v1',
  keyId: ID,
  scopes: ['inference:run'],
  sourceGroupIds: null,
  reach: null,
  authzPolicy: null,
  titled: true,
  at: NOW,
} as const;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const context = { contextStartRunId: null, contextTruncated: false } as const;

/** A run that failed while a tool was at work. */
const run: RunRecord = {
  ...facts,
  ...context,
  runId: ID,
  status: 'FAILED',
  startedAt: NOW + 5,
  finishedAt: NOW + 10,
  runtimeSessionId: null,
  openToolCalls: [],
  result: null,
  messages: null,
  error: {
    code: 'worker_lost',
    message: null,
    openToolCalls: [{ callId: 'c1', tool: 'mail.send', readOnly: false }],
  },
  title: 'Begin',
  traceId: TRACE,
  input: { messages: [{ role: 'user', content: 'How to begin?' }] },
  mcpSessionId: 'session-1',
  idempotencyKey: 'key-1',
  resultBody: null,
  errorMessage: 'the worker that executed it was lost',
};
const row: AgentRunRow & { readonly title: string } = {
  ...facts,
  ...context,
  id: ID,
  tenant: ID,
  status: 'SUCCEEDED',
  statusSince: NOW + 10,
  startedAt: NOW + 5,
  finishedAt: NOW + 10,
  messagesBodyId: null,
  errorCode: null,
  context: {
    tenant: ID,
    actor: { kind: 'api_key', id: ID },
    correlationId: 'r',
    causationId: 'c',
    traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
  },
  revision: 3n,
  title: 'Begin',
};
const thread: AgentThreadRow & { readonly title: string } = {
  id: OTHER_ID,
  tenant: ID,
  principalId: 'jo',
  reach: null,
  firstRunId: ID,
  titled: true,
  runCount: 1,
  createdAt: NOW,
  updatedAt: NOW,
  revision: 1n,
  title: 'Begin',
};
const told = (revision: number): RunEventView => {
  const event = { type: 'RunQueued', ...facts } as const;
  const { type: _, ...data } = event;
  return {
    runId: ID,
    threadId: OTHER_ID,
    parentRunId: null,
    revision: BigInt(revision),
    position: String(revision + 1),
    event,
    status: 'QUEUED',
    data: {
      thread_id: data.threadId,
      principal_id: data.principalId,
      parent_run_id: null,
      after_run_id: null,
      workflow_type: data.workflowType,
      provider: data.provider,
      execution_mode: data.executionMode,
      runtime_arn: null,
      input_history_mode: data.inputHistoryMode,
      key_id: data.keyId,
      scopes: data.scopes,
      source_group_ids: null,
      reach: null,
      authz_policy: null,
      titled: true,
      at: NOW,
    },
    body: { input: { messages: [{ role: 'user', content: 'How to begin?' }] }, title: 'Begin' },
    traceId: TRACE,
  };
};

const known = (id: string): void => {
  if (id !== ID && id !== OTHER_ID) throw new DomainError('not_found', 'there is no such thing');
};
const pageOf = <Row>(one: Row) => ({ rows: [one], hasMore: true, total: 3 });
const written = <Record>(record: Record) => ({ record, position: POSITION, changed: true });

async function* nothing(): AsyncGenerator<RunEventView> {}

/** Operations on one thread with one run. One that is cancelled twice was over before. */
export const fakeAgents = (): Pick<
  HttpDeps,
  'createRun' | 'cancelRun' | 'readRun' | 'deleteThread' | 'agentLists' | 'runEvents'
> => ({
  createRun: async (_caller, { workflowType }) => {
    if (workflowType === 'busy') throw new DomainError('thread_busy', 'another run is not over');
    return written({ ...run, status: 'QUEUED', error: null, errorMessage: null });
  },
  cancelRun: async (_caller, id) => {
    known(id);
    return { ...written({ ...run, status: 'CANCELLED' }), wasOver: id === OTHER_ID };
  },
  readRun: async (_caller, id) => (known(id), { record: run, position: POSITION }),
  deleteThread: async (_caller, id) => (known(id), written(id)),
  agentLists: {
    threads: async () => pageOf(thread),
    runs: async () => pageOf(row),
    tree: async (_caller, id) => (known(id), { rows: [row], titles: new Map([[row.id, row.title]]) }),
  },
  runEvents: {
    page: async (_caller, id) => (known(id), pageOf(told(0))),
    follow: async (_caller, id) => (known(id), { past: [told(0)], live: nothing() }),
    path: async (_caller, id, _principalId, runId) => {
      known(id);
      known(runId);
      return { rows: [told(0)], hasMore: true };
    },
  },
});
