import type { AgentRunEvent, BodyRef, Emission, OpenToolCall, RunFacts } from './events.ts';
import { RUN_STATUS_AFTER, type RunStatus } from './run-status.ts';

export interface AgentRun extends RunFacts {
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly contextStartRunId: string | null;
  readonly contextTruncated: boolean;
  /** Session id of the runtime that executes it; null for none. */
  readonly runtimeSessionId: string | null;
  /** Tool calls without a result. */
  readonly openToolCalls: readonly OpenToolCall[];
  /** Set for a run that succeeded. */
  readonly result: BodyRef | null;
  readonly messages: BodyRef | null;
  /** Set for a run that failed. */
  readonly error: RunError | null;
}
export interface RunError {
  readonly code: string;
  readonly message: BodyRef | null;
  readonly openToolCalls: readonly OpenToolCall[];
}
export type AgentRunState = { readonly status: 'none' } | AgentRun;

export const initial: AgentRunState = { status: 'none' };

export const evolve = (state: AgentRunState, event: AgentRunEvent): AgentRunState => {
  const status = RUN_STATUS_AFTER[event.type];
  switch (event.type) {
    case 'RunQueued': {
      const { type: _, ...facts } = event;
      return { ...facts, ...NOT_STARTED, status };
    }
    case 'RunStarted': {
      const { contextStartRunId, contextTruncated, at: startedAt } = event;
      return { ...existing(state), status, startedAt, contextStartRunId, contextTruncated };
    }
    case 'RunHandedOver':
      return { ...existing(state), status, runtimeSessionId: event.runtimeSessionId };
    case 'RunEmitted':
      return {
        ...existing(state),
        status,
        openToolCalls: openAfter(existing(state).openToolCalls, event.emission),
      };
    case 'RunSucceeded': {
      const { result, messages, at: finishedAt } = event;
      return { ...existing(state), status, result, messages, finishedAt, openToolCalls: [] };
    }
    case 'RunFailed':
    case 'RunCancelled': {
      const { code, message, openToolCalls, at: finishedAt } = event;
      const error = code === null ? null : { code, message, openToolCalls };
      return { ...existing(state), status, error, finishedAt, openToolCalls: [] };
    }
    case 'RunCancelRequested':
      return { ...existing(state), status };
  }
};

const NOT_STARTED = {
  startedAt: null,
  finishedAt: null,
  contextStartRunId: null,
  contextTruncated: false,
  runtimeSessionId: null,
  openToolCalls: [],
  result: null,
  messages: null,
  error: null,
} as const;

const openAfter = (open: readonly OpenToolCall[], emission: Emission): readonly OpenToolCall[] => {
  if (emission.kind === 'tool_answered') return open.filter(({ callId }) => callId !== emission.callId);
  if (emission.kind !== 'tool_called') return open;
  const { callId, tool, readOnly } = emission;
  return [...open, { callId, tool, readOnly }];
};

const existing = (state: AgentRunState): AgentRun => {
  if (state.status === 'none') throw new Error('an event of a run that was never queued');
  return state;
};
