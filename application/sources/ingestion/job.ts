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

/** A claimed job, as the code that does the work sees it. */
export interface Job {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly subject: DataSourceSubject;
  readonly ingestionSettingId: string;
  readonly state: JobState;
  /** What every event that the job leads to is stored with. */
  readonly context: CommandContext;
  /** Records that the first item of work has begun. @throws WorkLost */
  readonly begin: () => Promise<void>;
  /** Records progress, at most every 2 s however often it is called. @throws WorkLost */
  readonly progress: (counts: JobCounts) => Promise<void>;
  /** To be called before files, documents or the frontier are written: see `Work`. @throws WorkLost */
  readonly assertLeaseHeld: () => void;
  /** To be called before each item is fetched. @throws the StopReason, where the job is to stop meanwhile */
  readonly yieldSlot: YieldSlot;
}

/** What a worker says went wrong, under one of the stable phrases. */
export interface WorkError {
  readonly title: JobErrorTitle;
  /** What happened to what. */
  readonly message: string;
}

/** How the work ended, unless it was told to stop. */
export type JobOutcome =
  | { readonly kind: 'completed'; readonly counts: JobCounts }
  /** For good: another attempt would end the same. */
  | { readonly kind: 'failed'; readonly code: string; readonly error: WorkError }
  /** Another attempt may succeed: soon, or from `notBefore` (Unix milliseconds) on, as the provider asks. */
  | { readonly kind: 'transient'; readonly error: WorkError; readonly notBefore?: number };

/** Does the work of one kind of data source. Must settle soon after `signal` aborts, by whatever outcome or error. */
export type RunJob = (job: Job, signal: AbortSignal) => Promise<JobOutcome>;

/** Deletes everything of a data source and verifies that nothing is left. May be repeated after a crash. */
export type Purge = (
  job: Pick<Job, 'dataSourceId' | 'tenant' | 'context'>,
  signal: AbortSignal,
) => Promise<{ readonly contents: number; readonly sources: number; readonly bytes: number }>;

/** What a job, or a deletion, is about. */
export type LoadedDataSource = Loaded<DataSourceState>;

/** The data source as its stream tells it now; null when there is no such stream. */
export const loadDataSource = (
  execute: Pick<Execute, 'load'>,
  dataSourceId: string,
): Promise<LoadedDataSource | null> => load(execute, dataSource, dataSourceStream(dataSourceId));

/** Names of what data sources owe, as leases are stored with them: frozen. */
export const INGESTION_JOB = 'ingestion_job';
/** An accepted deletion. */
export const INGESTION_PURGE = 'ingestion_purge';
/** A report of whoever feeds a push: what it writes at once. */
export const PUSH_WRITE = 'push_write';
/** Bytes of documents that were taken out by themselves. */
export const INGESTION_ERASURE = 'ingestion_erasure';
