import type {
  DataSourceEvent,
  DataSourceSubject,
  JobCounts,
  JobQueued,
  ScheduleTickSkipped,
  SyncMode,
} from './events.ts';
import { type StreamStatus, statusAfter } from './job-status.ts';

/** The newest job, as far as decisions need it. There is one from the registration on. */
export interface JobState {
  readonly jobId: string;
  readonly attempt: number;
  readonly mode: SyncMode;
  readonly generation: number;
  /** The items that the job looks at alone; absent: everything. */
  readonly locators?: readonly string[];
  readonly notBefore: number;
  readonly claimedAt: number | null;
  readonly startedAt: number | null;
  readonly progressedAt: number | null;
  readonly cancelRequestedAt: number | null;
  readonly counts: JobCounts;
}

export interface Uploaded {
  /** The newest part of the list of all files, by its hash. */
  readonly list: string;
  /** The job that is pending when the one at work has ended, which may have read the list before; null: none. */
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
      /** Every occurrence of the schedule up to this instant is handled; 0 = none. */
      readonly tickedUntil: number;
      /** When it came to have this status. */
      readonly since: number;
      readonly job: JobState;
      /** Of a group of files, once there are some. */
      readonly uploaded?: Uploaded;
    };
export type ExistingDataSource = Exclude<DataSourceState, { status: 'none' }>;

export const initial: DataSourceState = { status: 'none' };
/** Epoch of whoever writes about a job that waits: no worker holds it. */
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
  return { ...state, ...noted(state, event), status, since, job: evolveJob(state.job, event) };
};

/** A tick stands for every occurrence up to its own time: those that were missed while nothing ran are not made up one by one. */
export const tickedUntil = ({ dueAt, at }: JobQueued | ScheduleTickSkipped, before: number): number =>
  dueAt === undefined ? before : Math.max(dueAt, at, before);

const noted = (state: ExistingDataSource, event: DataSourceEvent): Partial<ExistingDataSource> => {
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

/** A job that waits reads the list when it begins; of one at work nobody knows how far it is. */
const isAtWork = ({ status }: ExistingDataSource): boolean =>
  status === 'starting' || status === 'started' || status === 'canceling' || status === 'managed';

/** Whoever cancels a job wants none behind it. */
const withoutFollowUp = ({ uploaded }: ExistingDataSource): Partial<ExistingDataSource> =>
  uploaded === undefined ? {} : { uploaded: { ...uploaded, followUp: null } };

const newJob = ({
  jobId,
  mode,
  generation,
  locators,
  at,
}: Pick<JobQueued, 'jobId' | 'mode' | 'generation' | 'locators' | 'at'>): JobState => {
  const times = { claimedAt: null, startedAt: null, progressedAt: null, cancelRequestedAt: null };
  const named = locators !== undefined && { locators };
  return { jobId, attempt: 1, mode, generation, ...named, notBefore: at, ...times, counts: NO_COUNTS };
};

const evolveJob = (job: JobState, event: DataSourceEvent): JobState => {
  switch (event.type) {
    case 'JobQueued':
      return newJob(event);
    case 'JobClaimed':
      return { ...job, claimedAt: event.at };
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
        claimedAt: null,
        startedAt: null,
      };
    case 'JobCancelRequested':
      return { ...job, cancelRequestedAt: event.at };
    case 'JobStatusReconciled':
      // Lost before it had begun here, and at work elsewhere: without a time, progress would never be due.
      return event.status === 'managed'
        ? { ...job, startedAt: job.startedAt ?? event.at }
        : { ...job, counts: event.counts ?? job.counts };
    case 'DataSourceRegistered':
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
