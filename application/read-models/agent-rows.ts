import { type AgentRunEvent, RUN_STATUS_AFTER } from '../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../domain/agent-thread/decider.ts';
import type { EventMetadata } from '../ports/event-metadata.ts';
import type { AgentRunRow, AgentThreadRow } from '../ports/agent-view.ts';
import type { RowContext } from './data-source-row.ts';

/** Returns null for a deleted thread. */
export const agentThreadRow = (
  row: AgentThreadRow | null,
  event: AgentThreadEvent,
  { id, tenant, revision }: RowContext,
): AgentThreadRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'AgentThreadStarted': {
      const { principalId, at } = event;
      const nothing = { reach: [], firstRunId: null, titled: false, runCount: 0 };
      return { id, tenant, principalId, ...nothing, createdAt: at, updatedAt: at, revision };
    }
    case 'RunAdmitted': {
      const thread = the(row);
      const first = thread.firstRunId === null ? { firstRunId: event.runId, titled: event.titled } : {};
      const counted = { reach: event.reach, runCount: thread.runCount + 1, updatedAt: event.at };
      return { ...thread, ...first, ...counted, revision };
    }
    case 'AgentThreadDeleted':
      return null;
  }
};

export interface RunRowContext extends RowContext {
  readonly metadata: EventMetadata;
}

/**
 * A run gets its row when its thread admits it; the run's own stream updates the row. Later events of a run without a
 * row belong to a deleted thread, whose rows were deleted with it.
 */
export const agentRunRow = (
  row: AgentRunRow | null,
  event: AgentRunEvent | AgentThreadEvent,
  { id, tenant, revision, metadata }: RunRowContext,
): AgentRunRow | null => {
  switch (event.type) {
    case 'AgentThreadStarted':
    case 'AgentThreadDeleted':
      return row;
    case 'RunAdmitted': {
      if (row !== null) return row;
      const { type: _, runId, ended: _ended, ...facts } = event;
      const { schemaVersion: _version, ...context } = metadata;
      const waits = { status: 'QUEUED', statusSince: event.at, context, revision: -1n } as const;
      return { ...facts, id: runId, threadId: id, tenant, ...NOTHING_YET, ...waits };
    }
    case 'RunQueued':
    case 'RunStarted':
    case 'RunHandedOver':
    case 'RunEmitted':
    case 'RunSucceeded':
    case 'RunFailed':
    case 'RunCancelRequested':
    case 'RunCancelled':
      return row === null || row.revision >= revision ? row : { ...changed(row, event), revision };
  }
};

const NOTHING_YET = {
  startedAt: null,
  finishedAt: null,
  contextStartRunId: null,
  contextTruncated: false,
  messagesBodyId: null,
  errorCode: null,
} as const;

const changed = (row: AgentRunRow, event: AgentRunEvent): AgentRunRow => {
  const status = RUN_STATUS_AFTER[event.type];
  switch (event.type) {
    case 'RunQueued':
      return { ...row, status };
    case 'RunHandedOver':
    case 'RunEmitted':
      return row;
    case 'RunStarted': {
      const { contextStartRunId, contextTruncated, at } = event;
      return { ...row, status, statusSince: at, startedAt: at, contextStartRunId, contextTruncated };
    }
    case 'RunCancelRequested':
      return { ...row, status, statusSince: event.at };
    case 'RunSucceeded':
      return {
        ...row,
        status,
        statusSince: event.at,
        finishedAt: event.at,
        messagesBodyId: event.messages.bodyId,
      };
    case 'RunFailed':
    case 'RunCancelled':
      return { ...row, status, statusSince: event.at, finishedAt: event.at, errorCode: event.code };
  }
};

const the = (row: AgentThreadRow | null): AgentThreadRow => {
  if (row === null) throw new Error('RunAdmitted before AgentThreadStarted');
  return row;
};
