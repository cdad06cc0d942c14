import { DomainError } from '../shared/domain-error.ts';
import type { DataSourceCommand, Enqueue, Tick } from './commands.ts';
import { work } from './decide-work.ts';
import type { DataSourceEvent, JobQueued } from './events.ts';
import { isActive, isTerminal, type JobStatus } from './job-status.ts';
import { refuse } from './refuse.ts';
import { type DataSourceState, type ExistingDataSource, jobOf } from './state.ts';

/** What a command leads to in each state: the transition table, in code. `[]` means "already so". */
export const decide = (command: DataSourceCommand, state: DataSourceState): readonly DataSourceEvent[] => {
  if (state.status === 'none') return decideNew(command);
  // A registration that comes again is a repeated request, whatever became of the data source since.
  if (command.type === 'enqueue' && command.registration !== undefined) return [];
  if (state.status === 'removed') return decideRemoved(command);
  const source = state as ExistingDataSource & { status: JobStatus };
  switch (command.type) {
    case 'enqueue':
      return enqueue(command, source);
    case 'tick':
      return tick(command, source);
    case 'cancel':
      return cancel(command.at, source);
    case 'delete':
      return requestDeletion(command.at, source);
    case 'delete_done':
    case 'delete_failed':
      return endDeletion(command, source);
    case 'claim':
    case 'hand_off':
      return take(command, source);
    case 'begin':
    case 'progress':
    case 'complete':
    case 'fail':
    case 'retry':
    case 'cancel_done':
      return work(command, source);
    case 'lost':
    case 'reconcile':
      return watchManaged(command, source);
  }
};

type Living = ExistingDataSource & { readonly status: JobStatus };

const decideNew = (command: DataSourceCommand): readonly DataSourceEvent[] => {
  if (command.type === 'enqueue' && command.registration !== undefined) {
    const { subject, ingestion_setting_id, metadata, ready } = command.registration;
    const { at } = command;
    const registered = { type: 'DataSourceRegistered', subject, ingestion_setting_id, metadata, at } as const;
    return ready ? [registered, queued(command, 0)] : [registered];
  }
  if (isCallersCommand(command)) throw notFound();
  return refuse(command.type, 'not registered');
};

const decideRemoved = (command: DataSourceCommand): readonly DataSourceEvent[] => {
  if (command.type === 'tick') return [];
  if (isCallersCommand(command)) throw notFound();
  return refuse(command.type, 'removed');
};

const isCallersCommand = ({ type }: DataSourceCommand): boolean =>
  type === 'enqueue' || type === 'cancel' || type === 'delete';
const notFound = (): DomainError => new DomainError('not_found', 'there is no such data source');

const queued = (by: Enqueue | Tick, generation: number): JobQueued => ({
  type: 'JobQueued',
  job_id: by.job_id,
  attempt: 1,
  trigger: by.type === 'tick' ? 'schedule' : by.trigger,
  mode: by.type === 'tick' ? 'incremental' : by.mode,
  generation: generation + 1,
  ...(by.type === 'tick' && { due_at: by.due_at }),
  at: by.at,
});

const canBeQueued = (status: JobStatus): boolean =>
  status === 'not_started' || status === 'unknown' || isTerminal(status);

const enqueue = (command: Enqueue, source: Living): readonly DataSourceEvent[] => {
  if (canBeQueued(source.status)) return [queued(command, source.generation)];
  if (source.status === 'canceling') return refuse(command.type, 'canceling: wait until it is canceled');
  if (isActive(source.status)) return [];
  throw new DomainError('source_deleting', 'the data source is being deleted and takes no new job');
};

const tick = (command: Tick, source: Living): readonly DataSourceEvent[] => {
  if (command.due_at <= source.last_due_at) return [];
  if (source.status !== 'not_started' && canBeQueued(source.status))
    return [queued(command, source.generation)];
  if (isActive(source.status)) {
    return [{ type: 'ScheduleTickSkipped', due_at: command.due_at, at: command.at }];
  }
  return [];
};

const cancel = (at: number, source: Living): readonly DataSourceEvent[] => {
  const { status, job } = source;
  switch (status) {
    case 'success':
    case 'failure':
    case 'canceled':
    case 'canceling':
      return [];
    case 'not_started':
    case 'queued':
    case 'unknown':
      return [{ type: 'JobCanceled', job_id: job?.job_id ?? '', by: 'caller', at }];
    case 'managed':
    case 'starting':
    case 'started':
      return [{ type: 'JobCancelRequested', job_id: jobOf(job).job_id, at }];
    case 'deleting':
    case 'delete_job_failure':
      return refuse('cancel', status);
  }
};

const requestDeletion = (at: number, { status, job }: Living): readonly DataSourceEvent[] => {
  if (status === 'deleting') return [];
  const interrupted_job_id = isActive(status) ? (job?.job_id ?? null) : null;
  return [{ type: 'DataSourceDeletionRequested', interrupted_job_id, at }];
};

const endDeletion = (
  command: Extract<DataSourceCommand, { type: 'delete_done' | 'delete_failed' }>,
  { status }: Living,
): readonly DataSourceEvent[] => {
  if (status !== 'deleting') return refuse(command.type, status);
  if (command.type === 'delete_failed') {
    return [{ type: 'DataSourceDeletionFailed', error: command.error, at: command.at }];
  }
  const { contents, sources, bytes, at } = command;
  return [{ type: 'DataSourceDeleted', contents, sources, bytes, at }];
};

const take = (
  command: Extract<DataSourceCommand, { type: 'claim' | 'hand_off' }>,
  { status, job, epoch }: Living,
): readonly DataSourceEvent[] => {
  if (command.type === 'hand_off') {
    if (status !== 'not_started' && status !== 'queued') return refuse(command.type, status);
    const { executor, external_id, at } = command;
    return [{ type: 'JobHandedOff', job_id: job?.job_id ?? external_id, executor, external_id, at }];
  }
  if (status !== 'queued') return refuse(command.type, status);
  const { job_id, not_before } = jobOf(job);
  if (command.at < not_before) return refuse(command.type, `backing off until ${not_before}`);
  return [{ type: 'JobClaimed', job_id, worker_id: command.worker_id, epoch: epoch + 1, at: command.at }];
};

const watchManaged = (
  command: Extract<DataSourceCommand, { type: 'lost' | 'reconcile' }>,
  { status, job }: Living,
): readonly DataSourceEvent[] => {
  const { at } = command;
  const job_id = job?.job_id ?? '';
  if (command.type === 'lost') {
    if (status === 'unknown') return [];
    // A lost worker of our own is the lease's business (`retry`, `cancel_done`); this is for outside executors.
    if (status !== 'managed' && status !== 'canceling') return refuse(command.type, status);
    return [{ type: 'JobStatusLost', job_id, at }];
  }
  if (status !== 'unknown') return refuse(command.type, status);
  const error = command.error !== undefined && { error: command.error };
  return [{ type: 'JobStatusReconciled', job_id, status: command.status, ...error, at }];
};
