import type { MetadataKey } from '../source/metadata-key.ts';

/** Events of a data source and its jobs; one stream per data source. Times (`at`, `…At`) are Unix milliseconds. */

export const DATA_SOURCE_KINDS = [
  'crawl',
  'repo',
  'cloud_drive',
  'wiki',
  'local_file_group',
  'push',
] as const;
export type DataSourceKind = (typeof DATA_SOURCE_KINDS)[number];

/** The location of a data source. Its other parameters are in the ingestion setting. */
export type DataSourceSubject =
  | { readonly kind: 'crawl'; readonly startUrl: string }
  | {
      readonly kind: 'repo';
      readonly repository: string;
      readonly referenceType: string;
      readonly referenceParam: string;
      readonly pathFilters: readonly string[];
    }
  | { readonly kind: 'cloud_drive'; readonly folderUrl: string }
  | { readonly kind: 'wiki'; readonly pageId: string }
  | {
      readonly kind: 'local_file_group';
      /** Absent for none. */
      readonly chunkMetadataKeys?: readonly MetadataKey[];
    }
  /** An external process pushes the documents. */
  | { readonly kind: 'push' };

/** `recovery`: the service queued the job again because the workers of the previous job were lost. */
export type JobTrigger = 'create' | 'sync' | 'schedule' | 'upload' | 'push' | 'recovery';
/** `full` ignores data of earlier jobs (validators, hashes of unchanged pages); `incremental` uses it. */
export type SyncMode = 'incremental' | 'full';

export interface JobCounts {
  /** Number of visited items: always the sum of the next four counts. */
  readonly seen: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly bytes: number;
}
export interface JobError {
  /** A short stable phrase. */
  readonly title: string;
  /** What happened to which item. */
  readonly message: string;
}

interface JobFact {
  readonly jobId: string;
  readonly at: number;
}

export interface DataSourceRegistered {
  readonly type: 'DataSourceRegistered';
  readonly subject: DataSourceSubject;
  readonly ingestionSettingId: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
  /** The first job. It exists from now on, whether or not it may be queued yet. */
  readonly jobId: string;
  readonly at: number;
}
export interface JobQueued extends JobFact {
  readonly type: 'JobQueued';
  readonly attempt: 1;
  readonly trigger: JobTrigger;
  readonly mode: SyncMode;
  /** Number of this job within the data source, from 1. */
  readonly generation: number;
  /** The due time of the schedule's occurrence. */
  readonly dueAt?: number;
  /** The only items that the job processes; it leaves all others unchanged. Absent for all items. */
  readonly locators?: readonly string[];
}
export interface JobClaimed extends JobFact {
  readonly type: 'JobClaimed';
  readonly workerId: string;
  /** Fencing token: higher than that of every earlier claim and hand-over of this data source. */
  readonly epoch: number;
}
export interface JobHandedOff extends JobFact {
  readonly type: 'JobHandedOff';
  readonly executor: string;
  readonly externalId: string;
  /** Fencing token of the executor, from the same sequence as those of claims. */
  readonly epoch: number;
}
export interface JobStarted extends JobFact {
  readonly type: 'JobStarted';
  readonly attempt: number;
}
export interface JobProgressed extends JobFact {
  readonly type: 'JobProgressed';
  readonly counts: JobCounts;
}
export interface JobSucceeded extends JobFact {
  readonly type: 'JobSucceeded';
  readonly counts: JobCounts;
  readonly generation: number;
  readonly afterCancelRequest: boolean;
  /** What a job lost that succeeded all the same. */
  readonly error?: JobError;
}
export interface JobFailed extends JobFact {
  readonly type: 'JobFailed';
  readonly error: JobError;
  readonly code: string;
  /** Absent when no worker reported them, and in events of earlier versions. */
  readonly counts?: JobCounts;
}
export interface JobRequeued extends JobFact {
  readonly type: 'JobRequeued';
  readonly reason: string;
  readonly attempt: number;
  /** Time before which no worker may claim the job. */
  readonly notBefore: number;
  /** The error that caused the retry. Absent after an orderly stop, and in events of earlier versions. */
  readonly error?: JobError;
}
export interface JobCancelRequested extends JobFact {
  readonly type: 'JobCancelRequested';
}
export interface JobCanceled extends JobFact {
  readonly type: 'JobCanceled';
  /**
   * Who ended it: `caller` while no worker had it; the `worker`; `timeout` when the worker did not respond in time;
   * `worker_lost` when the worker is lost.
   */
  readonly by: 'caller' | 'worker' | 'timeout' | 'worker_lost';
  /** Absent when no worker reported them, and in events of earlier versions. */
  readonly counts?: JobCounts;
  /** An error that occurred while the worker was stopping. A lost worker is not an error here: the job was to stop. */
  readonly error?: JobError;
}
export interface DataSourceDeletionRequested {
  readonly type: 'DataSourceDeletionRequested';
  readonly interruptedJobId: string | null;
  readonly at: number;
}
export interface DataSourceDeleted {
  readonly type: 'DataSourceDeleted';
  /** What was deleted. */
  readonly contents: number;
  readonly sources: number;
  readonly bytes: number;
  readonly at: number;
}
export interface DataSourceDeletionFailed {
  readonly type: 'DataSourceDeletionFailed';
  readonly error: JobError;
  readonly at: number;
}
export interface JobStatusLost extends JobFact {
  readonly type: 'JobStatusLost';
}
export interface JobStatusReconciled extends JobFact {
  readonly type: 'JobStatusReconciled';
  readonly status: 'managed' | 'success' | 'failure' | 'canceled';
  readonly error?: JobError;
  /** Absent when the job continues, and in events of earlier versions. */
  readonly counts?: JobCounts;
}
/**
 * A caller has uploaded files to a group: new names were added, known names replaced. The complete list of the group's
 * files is stored among its files, so that the event stays small however many files there are.
 */
export interface FilesUploaded extends JobFact {
  readonly type: 'FilesUploaded';
  /** The newest part of the list, which refers to the earlier parts. `jobId` is the first job that reads it. */
  readonly list: { readonly sha256: string; readonly bytes: number };
  /** Counts of this upload. Identical files that existed before are in neither count. */
  readonly added: number;
  readonly replaced: number;
  /** Total size of the files that were added or replaced. */
  readonly bytes: number;
  /** Keys that a new group has declared; absent when there are none. */
  readonly chunkMetadataKeys?: readonly MetadataKey[];
}
/** The schedule was due while a job was active; no job was queued. */
export interface ScheduleTickSkipped {
  readonly type: 'ScheduleTickSkipped';
  readonly dueAt: number;
  readonly at: number;
}

export type DataSourceEvent =
  | DataSourceRegistered
  | JobQueued
  | JobClaimed
  | JobHandedOff
  | JobStarted
  | JobProgressed
  | JobSucceeded
  | JobFailed
  | JobRequeued
  | JobCancelRequested
  | JobCanceled
  | DataSourceDeletionRequested
  | DataSourceDeleted
  | DataSourceDeletionFailed
  | JobStatusLost
  | JobStatusReconciled
  | FilesUploaded
  | ScheduleTickSkipped;
