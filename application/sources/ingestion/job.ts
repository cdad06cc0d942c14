import {
  type DataSourceState,
  type DataSourceSubject,
  type JobCounts,
  type JobErrorTitle,
  type JobState,
  dataSource,
} from '../../../domain/data-source/index.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { type Loaded, load } from '../../jobs/load-work.ts';
import type { YieldSlot } from '../../jobs/work-handler.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';

/** A claimed job from the view of the code that does the work. */
export interface Job {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly subject: DataSourceSubject;
  readonly ingestionSettingId: string;
  readonly state: JobState;
  /** The context of every event of the job. */
  readonly context: CommandContext;
  /** Records that the first item of work has begun. @throws WorkLost */
  readonly begin: () => Promise<void>;
  /** Records progress some seconds later at most, however seldom or often it is called. @throws WorkLost */
  readonly progress: (counts: JobCounts) => Promise<void>;
  /** Call it before writes to files, documents or the frontier : see `Work`. @throws WorkLost */
  readonly assertLeaseHeld: () => void;
  /** Call it before each fetch. @throws the StopReason if the job has to stop meanwhile */
  readonly yieldSlot: YieldSlot;
}

/** An error of the work, with one of the stable titles. */
export interface WorkError {
  readonly title: JobErrorTitle;
  /** What happened, and to which object. */
  readonly message: string;
}

/** How the work ended, if it was not stopped. */
export type JobOutcome =
  /** `error`: what was lost, although the job succeeded. */
  | { readonly kind: 'completed'; readonly counts: JobCounts; readonly error?: WorkError }
  /** Permanent: another attempt would fail too. */
  | { readonly kind: 'failed'; readonly code: string; readonly error: WorkError }
  /** Another attempt may succeed: soon, or after `notBefore` (Unix milliseconds), as the provider asks. */
  | { readonly kind: 'transient'; readonly error: WorkError; readonly notBefore?: number };

/** Runs a job. Must settle soon after `signal` aborts, with any outcome or error. */
export type RunJob = (job: Job, signal: AbortSignal) => Promise<JobOutcome>;

/** Deletes everything of a data source and verifies that nothing is left. Idempotent. */
export type Purge = (
  job: Pick<Job, 'dataSourceId' | 'tenant' | 'context'>,
  signal: AbortSignal,
) => Promise<{ readonly contents: number; readonly sources: number; readonly bytes: number }>;

/** The data source of a job or a deletion. */
export type LoadedDataSource = Loaded<DataSourceState>;

/** The current state of the data source; null if there is no such stream. */
export const loadDataSource = (
  execute: Pick<Execute, 'load'>,
  dataSourceId: string,
): Promise<LoadedDataSource | null> => load(execute, dataSource, dataSourceStream(dataSourceId));

/** Kinds of work on data sources, as stored with leases: they must never change. */
export const INGESTION_JOB = 'ingestion_job';
/** An accepted deletion. */
export const INGESTION_PURGE = 'ingestion_purge';
/** A write to a push by its external executor. */
export const PUSH_WRITE = 'push_write';
/** The deletion of bytes of individually removed documents. */
export const INGESTION_ERASURE = 'ingestion_erasure';
