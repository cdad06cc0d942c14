import { sha256 } from '../../../adapters/system/identity.ts';
import { turn } from '../../../adapters/system/timing.ts';
import { createCancelRun } from '../../../application/agents/runs/cancel-run.ts';
import { createCreateRun } from '../../../application/agents/runs/create-run.ts';
import { createDeleteThread } from '../../../application/agents/runs/cancel-run.ts';
import { createAgentLists } from '../../../application/agents/runs/lists.ts';
import { createReadRun } from '../../../application/agents/runs/read-run.ts';
import { createRunEvents } from '../../../application/agents/runs/run-events.ts';
import type { RunExecutor } from '../../../application/agents/runs/run-executor.ts';
import { createRunHandler } from '../../../application/agents/runs/run-handler.ts';
import type { RunRequest } from '../../../application/agents/runs/run-request.ts';
import {
  type EventCodec,
  createEventCodec,
  readMetadata,
} from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { agentRunStream, agentThreadStream } from '../../../application/event-sourcing/streams.ts';
import { watch } from '../../../application/jobs/watch.ts';
import type { LeasedWork } from '../../../application/jobs/work-handler.ts';
import type {
  AgentRunRow,
  AgentRunRows,
  AgentThreadRow,
  AgentView,
} from '../../../application/ports/agent-view.ts';
import { type AppendResult, BEGINNING, type EventFeed } from '../../../application/ports/event-store.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import type { Page, PageRequest } from '../../../application/ports/page.ts';
import type { Vault } from '../../../application/ports/vault.ts';
import { agentRunRow, agentThreadRow } from '../../../application/read-models/agent-rows.ts';
import type { CompiledRules } from '../../../application/redaction/redactor.ts';
import type { AgentRunEvent, RunFacts } from '../../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../../domain/agent-thread/decider.ts';
import { noOverlay } from '../conversations.ts';
import { createMemoryEventStore } from '../memory/event-store.ts';
import { createMemoryVault } from '../memory/vault.ts';
import { silent } from '../silent.ts';

/** Lists of threads and runs, of all events that are stored, by the functions that make the rows of the view. */
const createMemoryAgentView = (store: EventFeed, codec: EventCodec): AgentView & AgentRunRows => {
  const rows = async () => {
    const threads = new Map<string, AgentThreadRow>();
    const runs = new Map<string, AgentRunRow>();
    const { events } = await store.read(BEGINNING, { categories: ['agentThread', 'agentRun'] }, 100_000);
    for (const recorded of events) {
      const [category, id] = split(recorded.stream);
      const event = codec.decode(recorded) as AgentThreadEvent | AgentRunEvent;
      const metadata = readMetadata(recorded.metadata);
      const of = { id, tenant: metadata.tenant, revision: recorded.revision, metadata };
      const runId = event.type === 'RunAdmitted' ? event.runId : id;
      if (category === 'agentThread') {
        const thread = agentThreadRow(threads.get(id) ?? null, event as AgentThreadEvent, of);
        if (thread === null) threads.delete(id);
        else threads.set(id, thread);
      }
      if (event.type === 'AgentThreadDeleted')
        for (const run of runs.values()) if (run.threadId === id) runs.delete(run.id);
      const run = agentRunRow(runs.get(runId) ?? null, event, of);
      if (run !== null) runs.set(runId, run);
    }
    return { threads: [...threads.values()], runs: [...runs.values()] };
  };
  return {
    admitted: async (runId) => {
      const row = (await rows()).runs.find(({ id }) => id === runId);
      if (row === undefined) return null;
      const { context } = row;
      const facts = Object.fromEntries(FACTS.map((name) => [name, row[name]])) as unknown as RunFacts;
      return { facts, context };
    },
    forgetLeases: async () => {},
    threads: async (tenant, principalId, page, only) =>
      pageOf((await rows()).threads.filter(isWithin(tenant, principalId, only)), page),
    runs: async (tenant, principalId, page, only, { threadId, status }) => {
      const found = (await rows()).runs
        .filter(isWithin(tenant, principalId, only))
        .filter(
          (run) => run.threadId === (threadId ?? run.threadId) && run.status === (status ?? run.status),
        );
      return pageOf(found, page);
    },
    lineOf: async (tenant, runId, limit) => {
      const known = new Map((await rows()).runs.map((run) => [run.id, run]));
      const line: AgentRunRow[] = [];
      for (let id: string | null = runId; id !== null && line.length < limit;) {
        const run: AgentRunRow | undefined = known.get(id);
        if (run?.tenant !== tenant) break;
        line.push(run);
        id = run.parentRunId;
      }
      return line;
    },
    runsOf: async (tenant, threadId) =>
      (await rows()).runs
        .filter((run) => run.tenant === tenant && run.threadId === threadId)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
};

/** With what a run is admitted. */
const FACTS: readonly (keyof RunFacts)[] = [
  'threadId',
  'principalId',
  'parentRunId',
  'afterRunId',
  'workflowType',
  'provider',
  'executionMode',
  'runtimeArn',
  'inputHistoryMode',
  'keyId',
  'scopes',
  'sourceGroupIds',
  'reach',
  'authzPolicy',
  'titled',
  'at',
];

const split = (stream: string): readonly [category: string, id: string] => {
  const dash = stream.indexOf('-');
  return [stream.slice(0, dash), stream.slice(dash + 1)];
};

interface Held {
  readonly tenant: string;
  readonly principalId: string | null;
  readonly reach: readonly string[] | null;
}

const isWithin =
  (tenant: string, principalId: string | null, only: readonly string[] | null) =>
  (row: Held): boolean =>
    row.tenant === tenant &&
    row.principalId === principalId &&
    (only === null || (row.reach?.every((group) => only.includes(group)) ?? false));

/** Newest first. */
const pageOf = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, after }: PageRequest,
): Page<Row> => {
  const behind = rows
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .filter(({ id }) => after === undefined || id < after);
  return { rows: behind.slice(0, limit), hasMore: behind.length > limit, total: rows.length };
};

const NOW = 1_790_000_000_000;

export const request = (content: string, more: Partial<RunRequest> = {}): RunRequest => ({
  workflowType: 'chat',
  provider: null,
  executionMode: 'LOCAL',
  runtimeArn: null,
  mcpSessionId: null,
  inputHistoryMode: 'delta_v1',
  input: { messages: [{ role: 'user', content }] },
  principalId: null,
  title: null,
  concurrency: 'reject',
  ...more,
});

const NO_RULES: CompiledRules = {
  rules: [],
  replacements: { mask: (text) => ({ text, settled: text.length }) },
};

export interface AgentWorldOptions {
  readonly rules?: CompiledRules;
  readonly contextTokens?: number;
  readonly rows?: AgentRunRows;
  /** As the worker reaches it. */
  readonly vaultOfWorker?: (vault: Vault) => Vault;
  /** In place of what a view shows that knows all that is stored. */
  readonly view?: Partial<AgentView>;
  /** Who executes at the worker; null: nobody. Default: whoever was asked. */
  readonly executorOfWorker?: null;
  readonly log?: Logger;
  /** When a wait for the end of a run is over. Default: never. */
  readonly after?: (ms: number) => AbortSignal;
}

/** Threads and runs in memory, and a worker that does what it is told to. */
export const agentWorld = (executor: RunExecutor, options: AgentWorldOptions = {}) => {
  let now = NOW;
  let made = 0;
  const log = options.log ?? silent;
  const clock = { now: () => (now += 1_000) };
  const ids = { newId: () => `0199d2a0-0000-7000-9000-${String((made += 1)).padStart(12, '0')}` };
  const [store, codec, vault] = [createMemoryEventStore(), createEventCodec(), createMemoryVault()];
  const execute = createExecute({ store, codec, ids });
  const retrying = createExecute({ store: { ...store, retrying: true }, codec, ids });
  const rulesFor = async () => options.rules ?? NO_RULES;
  const executors = { LOCAL: executor, MANAGED_RUNTIME: null };
  const feed = store;
  const view = { ...createMemoryAgentView(store, codec), ...options.view };
  const bodies = { vault, hash: sha256, clock, rulesFor };
  const deps = { ...bodies, execute, ids, executors };
  const rows: AgentRunRows = options.rows ?? view;
  const [gone, spans]: [unknown[], unknown[]] = [[], []];
  const overlay = { ...noOverlay, remove: async (...mark: unknown[]) => void gone.push(mark) };
  /** Timers that a test lets go off. */
  const timers: (() => Promise<void>)[] = [];
  const every = (_ms: number, run: () => Promise<void>) => {
    timers.push(run);
    return { stop: () => void timers.splice(timers.indexOf(run), 1) };
  };
  const handler = createRunHandler({
    ...bodies,
    vault: options.vaultOfWorker?.(vault) ?? vault,
    execute: retrying,
    executeAtOnce: execute,
    executors: options.executorOfWorker === null ? { ...executors, LOCAL: null } : executors,
    rows,
    view,
    contextTokens: options.contextTokens ?? 10_000,
    every,
    turn,
    ids,
    graceMs: 4_000,
    tracing: {
      inSpan: (name, from, attributes, run) => {
        spans.push([name, attributes]);
        return run(from.traceparent);
      },
    },
    log,
    owner: 'worker-1',
  });

  const work = async (
    runId: string,
    shutdown = new AbortController().signal,
    hasExpired = () => false,
    lost = new AbortController().signal,
  ) => {
    const lease = { kind: 'agent_run', id: runId, tenant: 'acme', token: 1n, attempt: 1, lasting: 0 };
    const held: LeasedWork = {
      lease,
      shutdown,
      isLost: () => hasExpired() || lost.aborted,
      watched: (claim, run) =>
        watch({ store, codec, every }, { lost, hasExpired }, claim, shutdown, { yield: async () => {} }, run),
    };
    return handler.run(held);
  };
  return {
    store,
    vault,
    execute,
    handler,
    work,
    timers,
    create: createCreateRun(deps),
    read: createReadRun({ execute, vault }),
    cancel: createCancelRun({
      execute,
      vault,
      clock,
      feed,
      after: options.after ?? (() => new AbortController().signal),
    }),
    remove: createDeleteThread({ execute, vault, clock, overlay, log }),
    events: createRunEvents({ execute, vault, codec, feed, view }),
    view,
    /** Has appends do this instead, of what is not done by the worker; answers how to mend that. */
    onAppend: (
      instead: (append: () => Promise<AppendResult>, stream: string) => Promise<AppendResult>,
    ): (() => void) => {
      const append = store.append.bind(store);
      store.append = (stream, ...of) => instead(() => append(stream, ...of), stream);
      return () => {
        store.append = append;
      };
    },
    /** Marks of rows that are gone. */
    gone,
    /** Names of spans, and what they tell. */
    spans,
    lists: createAgentLists({ execute, vault, view }),
    /** All that is stored of a run and its thread, as text. */
    stored: async (threadId: string, ...runIds: readonly string[]): Promise<string> => {
      const streams = [agentThreadStream(threadId), ...runIds.map(agentRunStream)];
      const events = await Promise.all(streams.map((stream) => store.readStream(stream)));
      return JSON.stringify(events, (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
    },
    typesOf: async (runId: string): Promise<readonly string[]> =>
      (await store.readStream(agentRunStream(runId))).map(({ type }) => type),
  };
};
