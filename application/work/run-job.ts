import type { ExistingDataSource } from '../../domain/data-source/index.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Lease } from '../ports/work-leases.ts';
import { claim, type ClaimDeps } from './claim-job.ts';
import { endJob, type EndDeps } from './end-job.ts';
import { hold, type HoldDeps, load, type Loaded } from './hold.ts';
import { type Job, JobLost, type JobOutcome, reasonOf, type RunJob } from './job.ts';
import { keepLease, type KeptLease } from './keep-lease.ts';
import type { IsPassing } from './passing.ts';

/** `execute` waits for a store that is away; `store` does not: to watch for a cancel must not take long. */
export interface RunJobDeps extends HoldDeps, ClaimDeps, EndDeps {
  readonly tracing: Tracing;
  readonly isPassing: IsPassing;
  readonly jobs: { readonly [kind in ExistingDataSource['subject']['kind']]?: RunJob };
}

/**
 * Claims the job that the lease stands for, does it, and records how it ended. Resolves when all that is written. The
 * lease is kept all the while.
 */
export const runLeasedJob = (deps: RunJobDeps, lease: Lease, shutdown: AbortSignal): Promise<void> =>
  keepLease(deps, lease, async (kept) => {
    const { data_source_id } = lease;
    const found = await load(deps, data_source_id);
    // Whoever has it by now may claim the job as well.
    if (found === null || kept.lost.aborted || kept.hasRunOut()) return;
    const attributes = { 'knowledger.data_source_id': data_source_id };
    await deps.tracing.inSpan('ingestion job', found.metadata, attributes, (traceparent) =>
      runClaimed(deps, kept, found, shutdown, traceparent),
    );
  });

const runClaimed = async (
  deps: RunJobDeps,
  kept: KeptLease,
  found: Loaded,
  shutdown: AbortSignal,
  traceparent: string | undefined,
): Promise<void> => {
  const claimed = await claim(deps, kept.lease, found, traceparent);
  if (claimed === null) return;
  const { job, report, counted, revision, epoch } = claimed;
  const ended = await hold(deps, kept, { revision, epoch }, shutdown, async (signal, stillOurs) => {
    const outcome = await work(deps, { ...job, stillOurs }, signal);
    return { outcome, told: signal.aborted ? reasonOf(signal) : null };
  });
  const counts = counted();
  await endJob(deps, job.data_source_id, report, { ...ended, ...(counts && { counts }) });
};

const work = async (deps: RunJobDeps, job: Job, signal: AbortSignal): Promise<JobOutcome | null> => {
  const run = deps.jobs[job.subject.kind];
  const { data_source_id } = job;
  if (run === undefined) {
    const message = `this service has no connector for ${job.subject.kind}`;
    return { kind: 'failed', code: 'not_configured', error: { title: 'Not supported here', message } };
  }
  try {
    return await run(job, signal);
  } catch (error) {
    if (error instanceof JobLost || signal.aborted) return null;
    const passing = deps.isPassing(error);
    const told = { data_source_id, error: (error as Error).stack ?? String(error) };
    if (passing) deps.log.warn('a job broke off, and will be tried again', told);
    else deps.log.error('job broke', told);
    const title = passing ? 'Storage not available' : 'Unexpected error';
    return { kind: 'transient', error: { title, message: `the job broke off: ${(error as Error).message}` } };
  }
};
