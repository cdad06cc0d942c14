import type {
  DataSourceSubject,
  FilesUploaded,
  JobCounts,
  JobError,
  JobTrigger,
  SyncMode,
} from './events.ts';

export interface Registration {
  readonly subject: DataSourceSubject;
  readonly ingestionSettingId: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
  /** False while the job must wait: bytes still being stored, or a quota holds it back. */
  readonly ready: boolean;
}

/**
 * Written by whoever holds the job; refused when `epoch` is not that of its claim or hand-over. A requeued job is held
 * by nobody, so that a worker that lost it can write nothing more: what is written of a waiting job carries the epoch `NOBODY`.
 */
interface WorkerCommand {
  readonly jobId: string;
  readonly epoch: number;
  readonly at: number;
}

export interface Enqueue {
  readonly type: 'enqueue';
  /** Registers the data source when it does not exist yet. */
  readonly registration?: Registration;
  readonly jobId: string;
  readonly trigger: JobTrigger;
  readonly mode: SyncMode;
  /** See JobQueued. */
  readonly locators?: readonly string[];
  /** Handed off at once, so that no worker of ours ever sees it in the queue. */
  readonly executor?: Executor;
  readonly at: number;
}
/** Who does a job outside of this service. */
export interface Executor {
  readonly executor: string;
  /** How the job is called there. */
  readonly externalId: string;
}
/** One occurrence of the schedule. Handled at most once, whoever sends it how often. */
export interface Tick {
  readonly type: 'tick';
  readonly jobId: string;
  readonly dueAt: number;
  readonly at: number;
}
export interface Claim {
  readonly type: 'claim';
  readonly workerId: string;
  readonly at: number;
}
export interface HandOff extends Executor {
  readonly type: 'hand_off';
  readonly at: number;
}
export interface Begin extends WorkerCommand {
  readonly type: 'begin';
}
export interface Progress extends WorkerCommand {
  readonly type: 'progress';
  readonly counts: JobCounts;
}
export interface Complete extends WorkerCommand {
  readonly type: 'complete';
  readonly counts: JobCounts;
}
/** What the worker had done when its work came to an end without success; absent: it does not tell. */
interface Counted {
  readonly counts?: JobCounts;
}
export interface Fail extends WorkerCommand, Counted {
  readonly type: 'fail';
  readonly error: JobError;
  readonly code: string;
}
/**
 * Puts the job back into the queue, or ends it when its attempts are used up. `worker_stopped` (an orderly stop) does
 * not use up an attempt and may be claimed again at once. Nor does `notBefore`: the provider is there, and asks not to be
 * asked before this time.
 */
export type Retry = WorkerCommand &
  Counted & { readonly type: 'retry' } & (
    | { readonly reason: 'worker_stopped' }
    | {
        readonly reason: 'worker_lost' | 'transient_error' | 'timed_out';
        readonly error: JobError;
        readonly notBefore?: number;
      }
  );
export interface Cancel {
  readonly type: 'cancel';
  readonly at: number;
}
export interface CancelDone extends WorkerCommand, Counted {
  readonly type: 'cancel_done';
  readonly by: 'worker' | 'timeout';
}
export interface Delete {
  readonly type: 'delete';
  readonly at: number;
}
export interface DeleteDone {
  readonly type: 'delete_done';
  readonly contents: number;
  readonly sources: number;
  readonly bytes: number;
  readonly at: number;
}
export interface DeleteFailed {
  readonly type: 'delete_failed';
  readonly error: JobError;
  readonly at: number;
}
/** Files were put into the group, and are in its list; see FilesUploaded. */
export interface AddFiles extends Omit<FilesUploaded, 'type'> {
  readonly type: 'add_files';
}
export interface Lost {
  readonly type: 'lost';
  readonly at: number;
}
export interface Reconcile {
  readonly type: 'reconcile';
  readonly status: 'managed' | 'success' | 'failure' | 'canceled';
  readonly error?: JobError;
  readonly counts?: JobCounts;
  readonly at: number;
}

export type DataSourceCommand =
  | Enqueue
  | Tick
  | Claim
  | HandOff
  | Begin
  | Progress
  | Complete
  | Fail
  | Retry
  | Cancel
  | CancelDone
  | Delete
  | DeleteDone
  | DeleteFailed
  | AddFiles
  | Lost
  | Reconcile;
