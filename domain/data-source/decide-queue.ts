import { DomainError } from '../shared/domain-error.ts';
import type { AddFiles, Claim, DataSourceCommand, Enqueue, HandOff, Tick } from './commands.ts';
import type { DataSourceEvent, JobQueued } from './events.ts';
import { endsJob, isActive, isTerminal, type JobStatus } from './job-status.ts';
import { refuse, refuseBeforeFiles } from './refuse.ts';
import { type ExistingDataSource, type JobState, NOBODY } from './state.ts';

type QueueCommand = Extract<DataSourceCommand, { type: 'enqueue' | 'tick' | 'claim' | 'hand_off' }>;
type LiveDataSource = ExistingDataSource & { readonly status: JobStatus };

/** Queues jobs, and moves them to a worker of the service or to an external executor. */
export const queue = (command: QueueCommand, source: LiveDataSource): readonly DataSourceEvent[] => {
  switch (command.type) {
    case 'enqueue':
      return enqueue(command, source);
    case 'tick':
      return tick(command, source);
    case 'claim':
      return claim(command, source);
    case 'hand_off':
      return handOff(command, source);
  }
};

/** Queues the first job of a new data source. */
export const firstQueued = (by: Enqueue): readonly DataSourceEvent[] =>
  forExecutor(by, queued(by, { jobId: by.jobId, generation: 1 }), NOBODY);

/** Adds the hand-over to the same append if an external executor does the job. */
const forExecutor = (
  { executor, at }: Enqueue,
  event: JobQueued,
  epoch: number,
): readonly DataSourceEvent[] =>
  executor === undefined
    ? [event]
    : [event, { type: 'JobHandedOff', jobId: event.jobId, ...executor, epoch: epoch + 1, at }];

const queued = (by: Enqueue | Tick, job: Pick<JobState, 'jobId' | 'generation'>): JobQueued => ({
  type: 'JobQueued',
  jobId: job.jobId,
  attempt: 1,
  trigger: by.type === 'tick' ? 'schedule' : by.trigger,
  mode: by.type === 'tick' ? 'incremental' : by.mode,
  generation: job.generation,
  ...(by.type === 'tick' && { dueAt: by.dueAt }),
  ...(by.type === 'enqueue' && by.locators !== undefined && { locators: by.locators }),
  at: by.at,
});

const nextQueued = (by: Enqueue | Tick, { job }: LiveDataSource): JobQueued =>
  queued(by, { jobId: by.jobId, generation: job.generation + 1 });

/** The job that processes an upload; it follows all earlier jobs. */
export const queuedByUpload = (
  { jobId, at }: Pick<AddFiles, 'jobId' | 'at'>,
  { job }: LiveDataSource,
): JobQueued => {
  const generation = job.generation + 1;
  return { type: 'JobQueued', jobId, attempt: 1, trigger: 'upload', mode: 'incremental', generation, at };
};

/** Queues the follow-up job for files that were uploaded while this job was running. */
export const followedUp = (
  events: readonly DataSourceEvent[],
  source: LiveDataSource,
): readonly DataSourceEvent[] => {
  const [last, followUp] = [events.at(-1), source.uploaded?.followUp ?? null];
  if (last === undefined || followUp === null || !endsJob(last)) return events;
  return [...events, queuedByUpload({ jobId: followUp, at: last.at }, source)];
};

export const hasEnded = (status: JobStatus): boolean => status === 'unknown' || isTerminal(status);

const enqueue = (command: Enqueue, source: LiveDataSource): readonly DataSourceEvent[] => {
  const { status, job, subject, epoch } = source;
  if (status === 'not_started')
    return subject.kind === 'local_file_group'
      ? refuseBeforeFiles()
      : forExecutor(command, queued(command, job), epoch);
  if (hasEnded(status)) return forExecutor(command, nextQueued(command, source), epoch);
  if (status === 'canceling') return refuse(command.type, 'canceling: wait until it is canceled');
  if (isActive(status)) return [];
  throw new DomainError('source_deleting', 'the data source is being deleted and takes no new job');
};

const tick = (command: Tick, source: LiveDataSource): readonly DataSourceEvent[] => {
  const { dueAt, at } = command;
  if (dueAt <= source.tickedUntil) return [];
  if (hasEnded(source.status)) return [nextQueued(command, source)];
  return isActive(source.status) ? [{ type: 'ScheduleTickSkipped', dueAt, at }] : [];
};

const claim = (
  { type, workerId, at }: Claim,
  { status, job, epoch }: LiveDataSource,
): readonly DataSourceEvent[] => {
  if (status !== 'queued') return refuse(type, status);
  const { jobId, notBefore } = job;
  if (at < notBefore) return refuse(type, `backing off until ${notBefore}`);
  return [{ type: 'JobClaimed', jobId, workerId, epoch: epoch + 1, at }];
};

const handOff = (
  { type, executor, externalId, at }: HandOff,
  { status, job, epoch }: LiveDataSource,
): readonly DataSourceEvent[] => {
  if (status !== 'not_started' && status !== 'queued') return refuse(type, status);
  return [{ type: 'JobHandedOff', jobId: job.jobId, executor, externalId, epoch: epoch + 1, at }];
};
