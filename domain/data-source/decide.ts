import { DomainError } from '../shared/domain-error.ts';
import type { DataSourceCommand, Lost, Reconcile } from './commands.ts';
import { firstQueued, followedUp, queue } from './decide-queue.ts';
import { addFiles } from './decide-upload.ts';
import { countsOf, work } from './decide-work.ts';
import type { DataSourceEvent } from './events.ts';
import { isActive, type JobStatus } from './job-status.ts';
import { refuse } from './refuse.ts';
import type { DataSourceState, ExistingDataSource } from './state.ts';

/** The transition table: the events of each command in each state. An empty array means that nothing changes. */
export const decide = (command: DataSourceCommand, state: DataSourceState): readonly DataSourceEvent[] => {
  if (state.status === 'none') return decideNew(command);
  // A repeated registration is a repeated request, whatever has happened to the data source since.
  if (command.type === 'enqueue' && command.registration !== undefined) return [];
  if (state.status === 'removed') return decideRemoved(command);
  const source = state as ExistingDataSource & { status: JobStatus };
  switch (command.type) {
    case 'enqueue':
    case 'tick':
    case 'claim':
    case 'hand_off':
      return queue(command, source);
    case 'begin':
    case 'progress':
    case 'complete':
    case 'fail':
    case 'retry':
    case 'cancel_done':
      return followedUp(work(command, source), source);
    case 'add_files':
      return addFiles(command, source);
    case 'cancel':
      return cancel(command.at, source);
    case 'delete':
      return requestDeletion(command.at, source);
    case 'delete_done':
    case 'delete_failed':
      return endDeletion(command, source);
    case 'lost':
    case 'reconcile':
      return watchManaged(command, source);
  }
};

type LiveDataSource = ExistingDataSource & { readonly status: JobStatus };

const decideNew = (command: DataSourceCommand): readonly DataSourceEvent[] => {
  if (command.type === 'enqueue' && command.registration !== undefined) {
    const { ready, ...facts } = command.registration;
    const { jobId, at } = command;
    const registered = { type: 'DataSourceRegistered', ...facts, jobId, at } as const;
    return ready ? [registered, ...firstQueued(command)] : [registered];
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

const cancel = (at: number, { status, job: { jobId } }: LiveDataSource): readonly DataSourceEvent[] => {
  switch (status) {
    case 'success':
    case 'failure':
    case 'canceled':
    case 'canceling':
      return [];
    case 'not_started':
    case 'queued':
    case 'unknown':
      return [{ type: 'JobCanceled', jobId, by: 'caller', at }];
    case 'managed':
    case 'starting':
    case 'started':
      return [{ type: 'JobCancelRequested', jobId, at }];
    case 'deleting':
    case 'delete_job_failure':
      return refuse('cancel', status);
  }
};

const requestDeletion = (at: number, { status, job }: LiveDataSource): readonly DataSourceEvent[] => {
  if (status === 'deleting') return [];
  const interrupts = isActive(status) || status === 'unknown';
  const interruptedJobId = interrupts ? job.jobId : null;
  return [{ type: 'DataSourceDeletionRequested', interruptedJobId, at }];
};

const endDeletion = (
  command: Extract<DataSourceCommand, { type: 'delete_done' | 'delete_failed' }>,
  { status }: LiveDataSource,
): readonly DataSourceEvent[] => {
  if (status !== 'deleting') return refuse(command.type, status);
  if (command.type === 'delete_failed') {
    return [{ type: 'DataSourceDeletionFailed', error: command.error, at: command.at }];
  }
  const { contents, sources, bytes, at } = command;
  return [{ type: 'DataSourceDeleted', contents, sources, bytes, at }];
};

const watchManaged = (
  command: Lost | Reconcile,
  { status, job: { jobId } }: LiveDataSource,
): readonly DataSourceEvent[] => {
  const { at } = command;
  if (command.type === 'lost') {
    if (status === 'unknown') return [];
    // The lease handles lost workers of the service (`retry`, `cancel_done`); this is for external executors.
    if (status !== 'managed' && status !== 'canceling') return refuse(command.type, status);
    return [{ type: 'JobStatusLost', jobId, at }];
  }
  if (status !== 'unknown') return refuse(command.type, status);
  const error = command.error !== undefined && { error: command.error };
  const counts = countsOf(command);
  return [{ type: 'JobStatusReconciled', jobId, status: command.status, ...error, ...counts, at }];
};
