import type { MetadataKey } from '../source/metadata-key.ts';

/** Facts of one data source and of its jobs, one stream per data source. Times (`at`, `…At`) are Unix milliseconds. */

export type DataSourceKind = 'crawl' | 'repo' | 'cloud_drive' | 'wiki' | 'local_file_group' | 'push';

/** What the data source points at; its parameters live in the ingestion setting. */
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
      /** Absent: none. */
      readonly chunkMetadataKeys?: readonly MetadataKey[];
    }
  /** Fed by a process outside, which brings the documents. */
  | { readonly kind: 'push' };

/** `recovery`: the service queued it again because the workers of the job before were lost. */
export type JobTrigger = 'create' | 'sync' | 'schedule' | 'upload' | 'push' | 'recovery';
/** `full` ignores what earlier jobs know (validators, hashes of unchanged pages); `incremental` uses it. */
export type SyncMode = 'incremental' | 'full';

export interface JobCounts {
  /** Items visited: always the sum of the four that follow. */
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
  /** What happened to what. */
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
  /** The first job: there from now on, whether or not it may enter the queue yet. */
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
  /** The occurrence that a schedule's tick stands for. */
  readonly dueAt?: number;
  /** The job looks at these items alone, and leaves all others as they are. Absent: at everything. */
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
}
export interface JobFailed extends JobFact {
  readonly type: 'JobFailed';
  readonly error: JobError;
  readonly code: string;
  /** What it had done; absent where no worker tells, and in events of before. */
  readonly counts?: JobCounts;
}
export interface JobRequeued extends JobFact {
  readonly type: 'JobRequeued';
  readonly reason: string;
  readonly attempt: number;
  /** No worker may claim it before. */
  readonly notBefore: number;
  /** What it waits for. Absent after an orderly stop, and in events of before. */
  readonly error?: JobError;
}
export interface JobCancelRequested extends JobFact {
  readonly type: 'JobCancelRequested';
}
export interface JobCanceled extends JobFact {
  readonly type: 'JobCanceled';
  /**
   * Who ended it: the caller, while nobody worked on it; the worker that did; nobody within the time a worker has to
   * answer; or nobody, since the worker that had it is lost.
   */
  readonly by: 'caller' | 'worker' | 'timeout' | 'worker_lost';
  /** What it had done; absent where no worker answered, and in events of before. */
  readonly counts?: JobCounts;
  /** An error that came while the worker was stopping. A lost worker is none: the job was to stop, and has. */
  readonly error?: JobError;
}
export interface DataSourceDeletionRequested {
  readonly type: 'DataSourceDeletionRequested';
  readonly interruptedJobId: string | null;
  readonly at: number;
}
export interface DataSourceDeleted {
  readonly type: 'DataSourceDeleted';
  /** What the purge removed. */
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
  /** What the job had done; absent where it goes on, and in events of before. */
  readonly counts?: JobCounts;
}
/**
 * A caller has put files into a group: added those of new names, replaced those of known ones. All that the group then
 * holds is in a list among its files, so that the event is small however many they are.
 */
export interface FilesUploaded extends JobFact {
  readonly type: 'FilesUploaded';
  /** The newest part of the list; it names the parts before it. `jobId` is the first job that reads this one. */
  readonly list: { readonly sha256: string; readonly bytes: number };
  /** Of this upload; files that were there already, byte for byte, are in neither. */
  readonly added: number;
  readonly replaced: number;
  /** Of the files that were added or replaced. */
  readonly bytes: number;
  /** What the form of a new group declared, from now on; absent: nothing new. */
  readonly chunkMetadataKeys?: readonly MetadataKey[];
}
/** A tick of the schedule found a job at work; nothing was queued. */
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
