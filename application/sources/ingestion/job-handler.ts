import { type DataSourceEvent, type JobCounts, stopReasonFor } from '../../../domain/data-source/index.ts';
import type { DomainEvent } from '../../event-sourcing/aggregates.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import type { LostJobs } from '../../ports/data-source-view.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { Tracing, Logger } from '../../ports/logger.ts';
import type { IsTransient } from '../../jobs/transient.ts';
import {
  type LeasedWork,
  stopReasonOf,
  type StopReason,
  type WorkHandler,
  WorkLost,
} from '../../jobs/work-handler.ts';
import { type AbandonedJobDeps, endAbandoned } from './abandoned-job.ts';
import { retryLostJobs } from './retry-failed.ts';
import { claim, type ClaimDeps, type Report, type UnnamedCommand } from './claim-job.ts';
import {
  INGESTION_JOB,
  type Job,
  type JobOutcome,
  type LoadedDataSource,
  type RunJob,
  loadDataSource,
} from './job.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { RetryingExecute } from '../../event-sourcing/execute.ts';

/** How the work on a job ended. */
interface Ended {
  /** Null: the work broke off. */
  readonly outcome: JobOutcome | null;
  /** Why the work had to stop; null if it did not. */
  readonly stopReason: StopReason | null;
  /** The last reported counts. */
  readonly counts?: JobCounts;
}

interface EndDeps {
  readonly execute: RetryingExecute;
  readonly log: Logger;
}

/**
 * Records how the work ended. The real outcome wins: work that was finished before the stop request arrived counts as
 * finished. If there is nothing to record, or the record is refused, a pending cancel that this claim has not
 * acknowledged is acknowledged now, whatever ended the work.
 */
const endJob = async (deps: EndDeps, dataSourceId: string, report: Report, ended: Ended): Promise<void> => {
  // A sweeper of the newer version ends the job.
  if (ended.stopReason === 'outdated') return;
  const command = commandFor(ended);
  if (command !== null && (await isAccepted(deps, report, command))) return;
  const found = await loadDataSource(deps.execute, dataSourceId);
  if (found?.state.status !== 'canceling') return;
  // Refused if another worker holds the claim: that worker will acknowledge.
  await isAccepted(deps, report, { type: 'cancel_done', by: 'worker', ...countsOf(ended) });
};

const isAccepted = async ({ log }: EndDeps, report: Report, command: UnnamedCommand): Promise<boolean> => {
  try {
    await report(command);
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.info('a late write was dropped', { command: command.type, reason: error.message });
    return false;
  }
};

const countsOf = ({ counts }: Ended) => (counts === undefined ? {} : { counts });

const commandFor = (ended: Ended): UnnamedCommand | null => {
  const { outcome, stopReason } = ended;
  const counts = countsOf(ended);
  if (stopReason === 'fenced' || stopReason === 'lease_lost' || stopReason === 'deleted') return null;
  if (outcome?.kind === 'completed') {
    const { error } = outcome;
    return { type: 'complete', counts: outcome.counts, ...(error !== undefined && { error }) };
  }
  if (stopReason === 'canceled') return { type: 'cancel_done', by: 'worker', ...counts };
  if (stopReason === 'shutdown') return { type: 'retry', reason: 'worker_stopped', ...counts };
  if (outcome === null) return null;
  if (outcome.kind === 'failed') return { type: 'fail', code: outcome.code, error: outcome.error, ...counts };
  const { kind: _, ...why } = outcome;
  return { type: 'retry', reason: 'transient_error', ...why, ...counts };
};

/** `execute` waits for an unavailable store; `executeAtOnce` does not, so that other work is not delayed. */
export interface JobHandlerDeps extends ClaimDeps, EndDeps, AbandonedJobDeps {
  readonly ids: IdSource;
  readonly lostJobs: LostJobs;
  readonly tracing: Tracing;
  readonly isTransient: IsTransient;
  /** Runs a job of any kind of data source. */
  readonly ingest: RunJob;
}

/** Handles jobs of data sources: claims the leased job, runs it, and records how it ended. */
export const createJobHandler = (deps: JobHandlerDeps): WorkHandler => ({
  kind: INGESTION_JOB,
  idName: 'dataSourceId',
  run: async (held) => {
    const dataSourceId = held.lease.id;
    const found = await loadDataSource(deps.execute, dataSourceId);
    if (found === null || held.isLost()) return 'done';
    const attributes = { 'knowledger.data_source_id': dataSourceId };
    await deps.tracing.inSpan('ingestion job', found.metadata, attributes, (traceparent) =>
      runClaimed(deps, held, found, traceparent),
    );
    return 'done';
  },
  abandoned: (found) => endAbandoned(deps, found),
  cleanUp: () => retryLostJobs(deps),
});

const runClaimed = async (
  deps: JobHandlerDeps,
  { lease, watched }: LeasedWork,
  found: LoadedDataSource,
  traceparent: string | undefined,
): Promise<void> => {
  const claimed = await claim(deps, lease, found, traceparent);
  if (claimed === null) return;
  const { job, report, reports, revision, epoch } = claimed;
  const stream = dataSourceStream(job.dataSourceId);
  const stopReason = (event: DomainEvent) => stopReasonAfter(event, epoch);
  const ended = await watched(
    { stream, revision, stopReason },
    async (signal, assertLeaseHeld, yieldSlot) => {
      const held = {
        ...job,
        assertLeaseHeld,
        yieldSlot,
        begin: reports.begin,
        progress: (counts: JobCounts) => reports.progress(counts, assertLeaseHeld),
      };
      const over = new AbortController();
      const telling = reports.tellLate(assertLeaseHeld, over.signal);
      const outcome = await work(deps, held, signal);
      over.abort();
      await telling;
      return { outcome, stopReason: signal.aborted ? stopReasonOf(signal) : null };
    },
  );
  const counts = reports.counted();
  await endJob(deps, job.dataSourceId, report, { ...ended, ...(counts && { counts }) });
};

const stopReasonAfter = (event: DomainEvent, epoch: number): StopReason | undefined => {
  if (event.type === 'JobClaimed' && event.epoch !== epoch) return 'fenced';
  return stopReasonFor((event as DataSourceEvent).type) ?? undefined;
};

const work = async (deps: JobHandlerDeps, job: Job, signal: AbortSignal): Promise<JobOutcome | null> => {
  const { dataSourceId } = job;
  try {
    const outcome = await deps.ingest(job, signal);
    if (outcome.kind === 'transient') {
      const { error, notBefore } = outcome;
      const facts = { dataSourceId, error: error.message, ...(notBefore !== undefined && { notBefore }) };
      deps.log.info('job will be retried', facts);
    }
    return outcome;
  } catch (error) {
    if (error instanceof WorkLost || signal.aborted) return null;
    const transient = deps.isTransient(error);
    const facts = { dataSourceId, error: (error as Error).stack ?? String(error) };
    if (transient) deps.log.warn('job interrupted and will be retried', facts);
    else deps.log.error('job failed unexpectedly', facts);
    const title = transient ? 'Storage not available' : 'Unexpected error';
    return { kind: 'transient', error: { title, message: `the job broke off: ${(error as Error).message}` } };
  }
};
