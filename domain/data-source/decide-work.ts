import type { DataSourceCommand, Fail, Retry } from './commands.ts';
import type { DataSourceEvent, JobCounts } from './events.ts';
import { isActive, type JobStatus } from './job-status.ts';
import { refuse } from './refuse.ts';
import { backOff, MAX_PROVIDER_DELAY, MAX_ATTEMPTS, progressIsDue } from './retry-rules.ts';
import { type ExistingDataSource, type JobState, NOBODY } from './state.ts';

type WorkCommand = Extract<DataSourceCommand, { epoch: number }>;

/** Decides a command of the holder of the job, or on its behalf when it is lost. */
export const work = (
  command: WorkCommand,
  source: ExistingDataSource & { readonly status: JobStatus },
): readonly DataSourceEvent[] => {
  const { status, job } = source;
  if (status === 'canceled' && command.type === 'cancel_done') return [];
  if (!isActive(status)) return refuse(command.type, status);
  const waits = status === 'not_started' || status === 'queued';
  const holder = waits ? NOBODY : source.epoch;
  if (command.jobId !== job.jobId || command.epoch !== holder) {
    return refuse(command.type, `${status}, held by epoch ${holder} of job ${job.jobId}`);
  }
  if (waits) return command.type === 'fail' ? [failed(command, job.jobId)] : refuse(command.type, status);
  if (status === 'canceling') return workWhileCanceling(command, job);
  if (status === 'managed') return workOfExecutor(command, job);
  return workInTime(command, job, status);
};

const workInTime = (command: WorkCommand, job: JobState, status: JobStatus): readonly DataSourceEvent[] => {
  const { jobId } = job;
  const { at } = command;
  switch (command.type) {
    case 'begin':
      return status === 'starting' ? [{ type: 'JobStarted', jobId, attempt: job.attempt, at }] : [];
    case 'progress':
      if (status !== 'started') return refuse(command.type, status);
      return progressed(command, job);
    case 'complete':
      if (status !== 'started') return refuse(command.type, status);
      return [succeeded(command, job)];
    case 'fail':
      return [failed(command, jobId)];
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
      return [failed(command, job.jobId)];
    case 'begin':
    case 'retry':
    case 'cancel_done':
      return refuse(command.type, 'managed');
  }
};

/**
 * A job that finished before it noticed the cancellation has succeeded; one that failed while stopping is canceled.
 */
const workWhileCanceling = (command: WorkCommand, job: JobState): readonly DataSourceEvent[] => {
  const { jobId } = job;
  const { at } = command;
  switch (command.type) {
    case 'begin':
      return refuse(command.type, 'canceling');
    case 'progress':
      return [];
    case 'complete':
      return [succeeded(command, job)];
    case 'fail':
      return [{ type: 'JobCanceled', jobId, by: 'worker', error: command.error, ...countsOf(command), at }];
    case 'retry':
      return [canceledInsteadOfRetried(command, jobId)];
    case 'cancel_done':
      return [{ type: 'JobCanceled', jobId, by: command.by, ...countsOf(command), at }];
  }
};

const canceledInsteadOfRetried = (command: Retry, jobId: string): DataSourceEvent => {
  const { reason, at } = command;
  const canceled = { type: 'JobCanceled', jobId, ...countsOf(command), at } as const;
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
  progressIsDue(job, at) ? [{ type: 'JobProgressed', jobId: job.jobId, counts: summed(counts), at }] : [];

/** The counts with a consistent total. */
export const countsOf = ({ counts }: { readonly counts?: JobCounts }): { readonly counts?: JobCounts } =>
  counts === undefined ? {} : { counts: summed(counts) };

/** A total that is counted separately would sooner or later differ from the sum of its parts. */
const summed = (counts: JobCounts): JobCounts => ({
  ...counts,
  seen: counts.indexed + counts.unchanged + counts.skipped + counts.failed,
});

const succeeded = (
  { counts, error, at }: Extract<WorkCommand, { type: 'complete' }>,
  { jobId, generation, cancelRequestedAt }: JobState,
): DataSourceEvent => {
  const afterCancelRequest = cancelRequestedAt !== null;
  const lost = error === undefined ? {} : { error };
  return { type: 'JobSucceeded', jobId, counts: summed(counts), generation, afterCancelRequest, ...lost, at };
};

type Failure = Pick<Fail, 'error' | 'code' | 'counts' | 'at'>;

const failed = (failure: Failure, jobId: string): DataSourceEvent => {
  const { error, code, at } = failure;
  return { type: 'JobFailed', jobId, error, code, ...countsOf(failure), at };
};

const requeuedOrFailed = (command: Retry, job: JobState): DataSourceEvent => {
  const { reason, at } = command;
  const { jobId, attempt } = job;
  if (reason === 'worker_stopped') return { type: 'JobRequeued', jobId, reason, attempt, notBefore: at, at };
  const { error } = command;
  if (command.notBefore !== undefined) {
    const notBefore = at + Math.min(Math.max(command.notBefore - at, backOff(1)), MAX_PROVIDER_DELAY);
    return { type: 'JobRequeued', jobId, reason, attempt, notBefore, error, at };
  }
  if (attempt >= MAX_ATTEMPTS) return failed({ ...command, code: reason }, jobId);
  const notBefore = at + backOff(attempt);
  return { type: 'JobRequeued', jobId, reason, attempt: attempt + 1, notBefore, error, at };
};
