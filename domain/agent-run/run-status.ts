import type { AgentRunEvent } from './events.ts';

export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What every event makes of a run: for the aggregate and for those who read it. */
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

/** Nothing happens to it any more. */
export const isOver = (status: RunStatus): boolean =>
  status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELLED';

/** How long a run may wait, be asked to cancel without an answer, and be under way: in milliseconds. */
export const QUEUE_LIMIT = 10 * 60_000;
export const CANCEL_LIMIT = 30_000;
export const RUN_LIMIT = 60 * 60_000;
