import type {
  DataSourceEvent,
  DataSourceSubject,
  JobCounts,
  JobQueued,
  ScheduleTickSkipped,
  SyncMode,
} from './events.ts';
import { type StreamStatus, statusAfter } from './job-status.ts';

/** The newest job, reduced to what decisions need. It exists from the registration on. */
export interface JobState {
  readonly jobId: string;
  readonly attempt: number;
  readonly mode: SyncMode;
  readonly generation: number;
  /** The only items that the job processes; absent for all items. */
  readonly locators?: readonly string[];
  readonly notBefore: number;
  readonly startedAt: number | null;
  readonly progressedAt: number | null;
  readonly cancelRequestedAt: number | null;
  readonly counts: JobCounts;
}

export interface Uploaded {
  /** Hash of the newest part of the list of all files. */
  readonly list: string;
  /** The job to queue when the running job ends, because that may have read the list too early; null for none. */
  readonly followUp: string | null;
}

export type DataSourceState =
  | { readonly status: 'none' }
  | {
      readonly status: StreamStatus;
      readonly subject: DataSourceSubject;
      readonly ingestionSettingId: string;
      /** Newest fencing token; 0 before the first claim. */
      readonly epoch: number;
      /** All occurrences of the schedule up to this instant have been handled; 0 for none. */
      readonly tickedUntil: number;
      /** When it entered this status. */
      readonly since: number;
      readonly job: JobState;
      /** Set for a group of files that has files. */
      readonly uploaded?: Uploaded;
    };
export type ExistingDataSource = Exclude<DataSourceState, { status: 'none' }>;

export const initial: DataSourceState = { status: 'none' };
/** The epoch of commands for a waiting job, which no worker holds. */
export const NOBODY = 0;
export const NO_COUNTS: JobCounts = { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 };

export const evolve = (state: DataSourceState, event: DataSourceEvent): DataSourceState => {
  if (event.type === 'DataSourceRegistered') {
    const { subject, ingestionSettingId, jobId, at } = event;
    const status = statusAfter(event, null);
    const job = newJob({ jobId, mode: 'full', generation: 1, at });
    return { status, subject, ingestionSettingId, epoch: NOBODY, tickedUntil: 0, since: at, job };
  }
  if (state.status === 'none') throw new Error(`${event.type} before DataSourceRegistered`);
  const status = statusAfter(event, state.status);
  const since = status === state.status ? state.since : event.at;
  return { ...state, ...changedFields(state, event), status, since, job: evolveJob(state.job, event) };
};

/** A tick handles every occurrence up to its own time: missed occurrences are not caught up one by one. */
export const tickedUntil = ({ dueAt, at }: JobQueued | ScheduleTickSkipped, before: number): number =>
  dueAt === undefined ? before : Math.max(dueAt, at, before);

const changedFields = (state: ExistingDataSource, event: DataSourceEvent): Partial<ExistingDataSource> => {
  switch (event.type) {
    case 'JobQueued':
      return { tickedUntil: tickedUntil(event, state.tickedUntil), ...withoutFollowUp(state) };
    case 'ScheduleTickSkipped':
      return { tickedUntil: tickedUntil(event, state.tickedUntil) };
    case 'JobClaimed':
    case 'JobHandedOff':
      return { epoch: event.epoch };
    case 'FilesUploaded':
      return { uploaded: { list: event.list.sha256, followUp: isAtWork(state) ? event.jobId : null } };
    case 'JobCancelRequested':
      return withoutFollowUp(state);
    case 'DataSourceRegistered':
    case 'JobStarted':
    case 'JobProgressed':
    case 'JobSucceeded':
    case 'JobFailed':
    case 'JobRequeued':
    case 'JobCanceled':
    case 'DataSourceDeletionRequested':
    case 'DataSourceDeleted':
    case 'DataSourceDeletionFailed':
    case 'JobStatusLost':
    case 'JobStatusReconciled':
      return {};
  }
};

/** A waiting job reads the list when it starts; a running job may already have read it. */
const isAtWork = ({ status }: ExistingDataSource): boolean =>
  status === 'starting' || status === 'started' || status === 'canceling' || status === 'managed';

/** Cancelling a job also cancels its follow-up. */
const withoutFollowUp = ({ uploaded }: ExistingDataSource): Partial<ExistingDataSource> =>
  uploaded === undefined ? {} : { uploaded: { ...uploaded, followUp: null } };

const newJob = ({
  jobId,
  mode,
  generation,
  locators,
  at,
}: Pick<JobQueued, 'jobId' | 'mode' | 'generation' | 'locators' | 'at'>): JobState => {
  const times = { startedAt: null, progressedAt: null, cancelRequestedAt: null };
  const named = locators !== undefined && { locators };
  return { jobId, attempt: 1, mode, generation, ...named, notBefore: at, ...times, counts: NO_COUNTS };
};

const evolveJob = (job: JobState, event: DataSourceEvent): JobState => {
  switch (event.type) {
    case 'JobQueued':
      return newJob(event);
    case 'JobHandedOff':
    case 'JobStarted':
      return { ...job, startedAt: event.at };
    case 'JobProgressed':
      return { ...job, counts: event.counts, progressedAt: event.at };
    case 'JobSucceeded':
      return { ...job, counts: event.counts };
    case 'JobRequeued':
      return {
        ...job,
        attempt: event.attempt,
        notBefore: event.notBefore,
        startedAt: null,
      };
    case 'JobCancelRequested':
      return { ...job, cancelRequestedAt: event.at };
    case 'JobStatusReconciled':
      // The job was lost before it started here, but runs elsewhere: without a start time, progress would never be
      // due.
      return event.status === 'managed'
        ? { ...job, startedAt: job.startedAt ?? event.at }
        : { ...job, counts: event.counts ?? job.counts };
    case 'DataSourceRegistered':
    case 'JobClaimed':
    case 'JobFailed':
    case 'JobCanceled':
    case 'DataSourceDeletionRequested':
    case 'DataSourceDeleted':
    case 'DataSourceDeletionFailed':
    case 'JobStatusLost':
    case 'FilesUploaded':
    case 'ScheduleTickSkipped':
      return job;
  }
};
