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

/** `removed` is the status of a deleted data source in its stream; no read model shows it. */
export type StreamStatus = JobStatus | 'removed';

interface Meaning {
  /** The status after the event. `named`: the event contains it. */
  readonly leadsTo: StreamStatus | 'same' | 'named';
  /** Whether the event proves that the holder of the job is alive. False for events of the schedule or of callers. */
  readonly alive: boolean;
  /** Why the worker of the job must stop when another process has written this event; null if it continues. */
  readonly stops: 'canceled' | 'deleted' | 'fenced' | null;
}
const meaning = (
  leadsTo: Meaning['leadsTo'],
  { alive = true, stops = null }: Partial<Meaning> = {},
): Meaning => ({ leadsTo, alive, stops });

/** The meaning of each event for the aggregate, the read model and the worker. */
const MEANINGS: { readonly [T in DataSourceEvent['type']]: Meaning } = {
  DataSourceRegistered: meaning('not_started'),
  JobQueued: meaning('queued'),
  // Claimed by this worker, or by another one with a higher epoch: the worker compares the epochs.
  JobClaimed: meaning('starting'),
  JobHandedOff: meaning('managed', { stops: 'fenced' }),
  JobStarted: meaning('started'),
  JobProgressed: meaning('same'),
  JobSucceeded: meaning('success'),
  JobFailed: meaning('failure', { stops: 'fenced' }),
  JobRequeued: meaning('queued', { stops: 'fenced' }),
  JobCancelRequested: meaning('canceling', { alive: false, stops: 'canceled' }),
  JobCanceled: meaning('canceled', { stops: 'fenced' }),
  DataSourceDeletionRequested: meaning('deleting', { stops: 'deleted' }),
  DataSourceDeleted: meaning('removed'),
  DataSourceDeletionFailed: meaning('delete_job_failure'),
  JobStatusLost: meaning('unknown', { stops: 'fenced' }),
  JobStatusReconciled: meaning('named'),
  FilesUploaded: meaning('same', { alive: false }),
  ScheduleTickSkipped: meaning('same', { alive: false }),
};

/** The status after `event`; `current` is null before the first event. */
export const statusAfter = (event: DataSourceEvent, current: StreamStatus | null): StreamStatus => {
  if (event.type === 'JobStatusReconciled') return event.status;
  const next = MEANINGS[event.type].leadsTo;
  return next === 'same' || next === 'named' ? (current ?? 'unknown') : next;
};

/** Whether the event proves that the holder of the job is alive. */
export const provesLiveness = ({ type }: DataSourceEvent): boolean => MEANINGS[type].alive;

/** Why a worker stops when another process has written an event of this type; null if it continues. */
export const stopReasonFor = (type: DataSourceEvent['type']): Meaning['stops'] => MEANINGS[type].stops;

/** Whether the event ends the job. */
export const endsJob = ({ type }: DataSourceEvent): boolean => {
  const { leadsTo } = MEANINGS[type];
  return leadsTo === 'success' || leadsTo === 'failure' || leadsTo === 'canceled';
};

/** Whether a job is pending, running or being canceled. */
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
