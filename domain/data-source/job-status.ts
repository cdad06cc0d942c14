import type { DataSourceEvent } from './events.ts';

export const JOB_STATUSES = [
  'unknown',
  'queued',
  'not_started',
  'managed',
  'starting',
  'started',
  'success',
  'failure',
  'canceling',
  'canceled',
  'deleting',
  'delete_job_failure',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** `removed` is what a deleted data source is in its stream; no read shows it. */
export type StreamStatus = JobStatus | 'removed';

/**
 * Which status each event leads to; a reconciled one is named in the event. The aggregate and the read model both go by
 * this table.
 */
const LEADS_TO: {
  readonly [T in Exclude<DataSourceEvent['type'], 'JobStatusReconciled'>]: StreamStatus | 'same';
} = {
  DataSourceRegistered: 'not_started',
  JobQueued: 'queued',
  JobClaimed: 'starting',
  JobHandedOff: 'managed',
  JobStarted: 'started',
  JobProgressed: 'same',
  JobSucceeded: 'success',
  JobFailed: 'failure',
  JobRequeued: 'queued',
  JobCancelRequested: 'canceling',
  JobCanceled: 'canceled',
  DataSourceDeletionRequested: 'deleting',
  DataSourceDeleted: 'removed',
  DataSourceDeletionFailed: 'delete_job_failure',
  JobStatusLost: 'unknown',
  FilesUploaded: 'same',
  ScheduleTickSkipped: 'same',
};

/** The status after `event`; `current` is null before the first event. */
export const statusAfter = (event: DataSourceEvent, current: StreamStatus | null): StreamStatus => {
  if (event.type === 'JobStatusReconciled') return event.status;
  const next = LEADS_TO[event.type];
  return next === 'same' ? (current ?? 'unknown') : next;
};

/** A job is owed, under way or being stopped. */
export const isActive = (status: StreamStatus): boolean => ACTIVE.has(status);
const ACTIVE: ReadonlySet<StreamStatus> = new Set([
  'not_started',
  'queued',
  'managed',
  'starting',
  'started',
  'canceling',
]);
export const isTerminal = (status: StreamStatus): boolean => TERMINAL.has(status);
const TERMINAL: ReadonlySet<StreamStatus> = new Set(['success', 'failure', 'canceled']);
