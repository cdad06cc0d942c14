import { type EventCodec, readMetadata } from '../../../application/event-sourcing/event-codec.ts';

import type { Page, PageRequest } from '../../../application/ports/page.ts';
import type {
  AgentRunRow,
  AgentRunRows,
  AgentThreadRow,
  AgentView,
} from '../../../application/ports/agent-view.ts';
import { type EventFeed, BEGINNING } from '../../../application/ports/event-store.ts';

import { agentRunRow, agentThreadRow } from '../../../application/read-models/agent-rows.ts';
import type { AgentRunEvent, RunFacts } from '../../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../../domain/agent-thread/decider.ts';

/** Lists of threads and runs, of all events that are stored, by the functions that make the rows of the view. */
export const createMemoryAgentView = (store: EventFeed, codec: EventCodec): AgentView & AgentRunRows => {
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
