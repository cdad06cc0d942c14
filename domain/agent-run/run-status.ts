import type { AgentRunEvent } from './events.ts';

export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The status of a run after each event; used by the aggregate and the read models. */
export const RUN_STATUS_AFTER: { readonly [T in AgentRunEvent['type']]: RunStatus } = {
  RunQueued: 'QUEUED',
  RunStarted: 'RUNNING',
  RunHandedOver: 'RUNNING',
  RunEmitted: 'RUNNING',
  RunSucceeded: 'SUCCEEDED',
  RunFailed: 'FAILED',
  RunCancelRequested: 'CANCELLING',
  RunCancelled: 'CANCELLED',
};

/** Whether the run has ended: nothing changes afterwards. */
export const isOver = (status: RunStatus): boolean =>
  status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELLED';

/** Time limits of the queue, of a cancellation and of a run, in milliseconds. */
export const QUEUE_LIMIT = 10 * 60_000;
export const CANCEL_LIMIT = 30_000;
export const RUN_LIMIT = 60 * 60_000;
