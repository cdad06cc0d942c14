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
  /** False while the job must wait: files are still being stored, or a quota delays it. */
  readonly ready: boolean;
}

/**
 * A command of the holder of the job. It is refused unless `epoch` is that of the claim or hand-over. A requeued job
 * has no holder, so a worker that has lost it cannot write any more; commands for a waiting job carry the epoch
 * `NOBODY`.
 */
interface WorkerCommand {
  readonly jobId: string;
  readonly epoch: number;
  readonly at: number;
}

export interface Enqueue {
  readonly type: 'enqueue';
  /** Registers the data source if it does not exist. */
  readonly registration?: Registration;
  readonly jobId: string;
  readonly trigger: JobTrigger;
  readonly mode: SyncMode;
  /** See JobQueued. */
  readonly locators?: readonly string[];
  /** Hands the job off in the same append, so that no worker of the service can claim it. */
  readonly executor?: Executor;
  readonly at: number;
}
/** An external executor of a job. */
export interface Executor {
  readonly executor: string;
  /** The executor's id of the job. */
  readonly externalId: string;
}
/** One occurrence of the schedule. Handled at most once, however often it is sent. */
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
  /** What the job lost, although it succeeded. */
  readonly error?: JobError;
}
/** The progress of a worker whose job ended without success; absent when it is unknown. */
interface WithCounts {
  readonly counts?: JobCounts;
}
export interface Fail extends WorkerCommand, WithCounts {
  readonly type: 'fail';
  readonly error: JobError;
  readonly code: string;
}
/**
 * Requeues the job, or fails it when its attempts are used up. `worker_stopped` (an orderly stop) does not use up an
 * attempt, and the job can be claimed again at once. `notBefore` does not use up an attempt either: the provider is
 * available, but asks for a delay until this time.
 */
export type Retry = WorkerCommand &
  WithCounts & { readonly type: 'retry' } & (
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
export interface CancelDone extends WorkerCommand, WithCounts {
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
/** Files were added to the group and its list; see FilesUploaded. */
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
