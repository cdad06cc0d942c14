import type { DataSourceCommand, Fail, Retry } from './commands.ts';
import type { DataSourceEvent, JobCounts } from './events.ts';
import { isActive, type JobStatus } from './job-status.ts';
import { refuse } from './refuse.ts';
import { backOff, MAX_ATTEMPTS, progressIsDue } from './retry-rules.ts';
import { type ExistingDataSource, type JobState, NOBODY } from './state.ts';

type WorkCommand = Extract<DataSourceCommand, { epoch: number }>;

/** A write of the worker that holds the job, or in its name when it is lost. */
export const work = (
  command: WorkCommand,
  source: ExistingDataSource & { readonly status: JobStatus },
): readonly DataSourceEvent[] => {
  const { status, job } = source;
  if (status === 'canceled' && command.type === 'cancel_done') return [];
  if (!isActive(status)) return refuse(command.type, status);
  const waits = status === 'not_started' || status === 'queued';
  const holder = waits ? NOBODY : source.epoch;
  if (command.job_id !== job.job_id || command.epoch !== holder) {
    return refuse(command.type, `${status}, held by epoch ${holder} of job ${job.job_id}`);
  }
  if (waits) return command.type === 'fail' ? [failed(command, job.job_id)] : refuse(command.type, status);
  if (status === 'canceling') return workWhileCanceling(command, job);
  if (status === 'managed') return workOfExecutor(command, job);
  return workInTime(command, job, status);
};

const workInTime = (command: WorkCommand, job: JobState, status: JobStatus): readonly DataSourceEvent[] => {
  const { job_id } = job;
  const { at } = command;
  switch (command.type) {
    case 'begin':
      return status === 'starting' ? [{ type: 'JobStarted', job_id, attempt: job.attempt, at }] : [];
    case 'progress':
      if (status !== 'started') return refuse(command.type, status);
      return progressed(command, job);
    case 'complete':
      if (status !== 'started') return refuse(command.type, status);
      return [succeeded(command, job)];
    case 'fail':
      return [failed(command, job_id)];
    case 'retry':
      return [requeuedOrFailed(command, job)];
    case 'cancel_done':
      return refuse(command.type, status);
  }
};

const workOfExecutor = (command: WorkCommand, job: JobState): readonly DataSourceEvent[] => {
  switch (command.type) {
    case 'progress':
      return progressed(command, job);
    case 'complete':
      return [succeeded(command, job)];
    case 'fail':
      return [failed(command, job.job_id)];
    case 'begin':
    case 'retry':
    case 'cancel_done':
      return refuse(command.type, 'managed');
  }
};

/** Truth wins: a job that finished before it saw the request succeeded; one that broke while stopping is canceled. */
const workWhileCanceling = (command: WorkCommand, job: JobState): readonly DataSourceEvent[] => {
  const { job_id } = job;
  const { at } = command;
  switch (command.type) {
    case 'begin':
      return refuse(command.type, 'canceling');
    case 'progress':
      return [];
    case 'complete':
      return [succeeded(command, job)];
    case 'fail':
      return [{ type: 'JobCanceled', job_id, by: 'worker', error: command.error, ...countsOf(command), at }];
    case 'retry':
      return [canceledInsteadOfRetried(command, job_id)];
    case 'cancel_done':
      return [{ type: 'JobCanceled', job_id, by: command.by, ...countsOf(command), at }];
  }
};

const canceledInsteadOfRetried = (command: Retry, job_id: string): DataSourceEvent => {
  const { reason, at } = command;
  const canceled = { type: 'JobCanceled', job_id, ...countsOf(command), at } as const;
  switch (reason) {
    case 'worker_stopped':
      return { ...canceled, by: 'worker' };
    case 'worker_lost':
      return { ...canceled, by: 'worker_lost' };
    case 'transient_error':
      return { ...canceled, by: 'worker', error: command.error };
    case 'timed_out':
      return { ...canceled, by: 'timeout', error: command.error };
  }
};

const progressed = (
  { counts, at }: Extract<WorkCommand, { type: 'progress' }>,
  job: JobState,
): readonly DataSourceEvent[] =>
  progressIsDue(job, at) ? [{ type: 'JobProgressed', job_id: job.job_id, counts: summed(counts), at }] : [];

const countsOf = ({ counts }: { readonly counts?: JobCounts }): { readonly counts?: JobCounts } =>
  counts === undefined ? {} : { counts: summed(counts) };

/** A total that is counted apart from its parts sooner or later differs from their sum. */
const summed = (counts: JobCounts): JobCounts => ({
  ...counts,
  seen: counts.indexed + counts.unchanged + counts.skipped + counts.failed,
});

const succeeded = (
  { counts, at }: Extract<WorkCommand, { type: 'complete' }>,
  { job_id, generation, cancel_requested_at }: JobState,
): DataSourceEvent => {
  const after_cancel_request = cancel_requested_at !== null;
  return { type: 'JobSucceeded', job_id, counts: summed(counts), generation, after_cancel_request, at };
};

type Failure = Pick<Fail, 'error' | 'code' | 'counts' | 'at'>;

const failed = (failure: Failure, job_id: string): DataSourceEvent => {
  const { error, code, at } = failure;
  return { type: 'JobFailed', job_id, error, code, ...countsOf(failure), at };
};

const requeuedOrFailed = (command: Retry, job: JobState): DataSourceEvent => {
  const { reason, at } = command;
  const { job_id, attempt } = job;
  if (reason === 'worker_stopped')
    return { type: 'JobRequeued', job_id, reason, attempt, not_before: at, at };
  if (attempt >= MAX_ATTEMPTS) return failed({ ...command, code: reason }, job_id);
  return { type: 'JobRequeued', job_id, reason, attempt: attempt + 1, not_before: at + backOff(attempt), at };
};
