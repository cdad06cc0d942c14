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

interface Meaning {
  /** The status from then on. `named`: the event says it itself. */
  readonly leadsTo: StreamStatus | 'same' | 'named';
  /** It shows that whoever runs the job is alive. Not so for what the schedule or a caller writes meanwhile. */
  readonly alive: boolean;
  /** The worker that runs the job stops when another process writes it, for this reason. */
  readonly stops: 'canceled' | 'deleted' | 'fenced' | null;
}
const meaning = (
  leadsTo: Meaning['leadsTo'],
  { alive = true, stops = null }: Partial<Meaning> = {},
): Meaning => ({ leadsTo, alive, stops });

/** What each event means to those who follow a data source: the aggregate, the read model and the worker go by it. */
const MEANINGS: { readonly [T in DataSourceEvent['type']]: Meaning } = {
  DataSourceRegistered: meaning('not_started'),
  JobQueued: meaning('queued'),
  // By this worker, or by another that has a higher epoch: the worker looks at that.
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

/** Whether whoever runs the job shows a sign of life by it. */
export const showsLife = ({ type }: DataSourceEvent): boolean => MEANINGS[type].alive;

/** Why a worker stops when another process has written an event of this type; null: it goes on. */
export const stopsWorker = (type: DataSourceEvent['type']): Meaning['stops'] => MEANINGS[type].stops;

/** Whether the job is over by it, as its worker or a caller says. */
export const endsJob = ({ type }: DataSourceEvent): boolean => {
  const { leadsTo } = MEANINGS[type];
  return leadsTo === 'success' || leadsTo === 'failure' || leadsTo === 'canceled';
};

/** A job is pending, under way or being stopped. */
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
