import {
  dataSource,
  type DataSourceCommand,
  type ExistingDataSource,
  type JobCounts,
} from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Execute } from '../execute.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Lease } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { hold, type HoldDeps, load, type Loaded, workerContext } from './hold.ts';
import { type Job, JobLost, type JobOutcome, type RunJob, type StopReason } from './job.ts';

export interface RunJobDeps extends HoldDeps {
  /** Waits for a store that is away, which `store` does not: to watch for a cancel must not take long. */
  readonly patientStore: EventStore;
  /** On the patient store. */
  readonly execute: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly jobs: { readonly [kind in ExistingDataSource['subject']['kind']]?: RunJob };
}

const PROGRESS_MS = 2_000;

/** Claims the job that the lease stands for, does it, and records how it ended. Resolves when all that is written. */
export const runLeasedJob = async (deps: RunJobDeps, lease: Lease, shutdown: AbortSignal): Promise<void> => {
  const found = await load({ ...deps, store: deps.patientStore }, lease.data_source_id);
  if (found === null) return;
  const attributes = { 'knowledger.data_source_id': lease.data_source_id };
  await deps.tracing.inSpan('ingestion job', found.metadata, attributes, async (traceparent) => {
    const claimed = await claim(deps, lease, found, traceparent);
    if (claimed === null) return;
    const { job, report, revision, epoch } = claimed;
    const ended = await hold(deps, lease, { revision, epoch }, shutdown, (signal, stillOurs) =>
      work(deps, { ...job, stillOurs }, signal).then((outcome) => ({
        outcome,
        told: signal.aborted ? reasonOf(signal) : null,
      })),
    );
    await record(deps, report, ended);
  });
};

type Report = (command: UnnamedCommand) => Promise<void>;
type Named = { readonly job_id: string; readonly epoch: number; readonly at: number };
type UnnamedCommand = DataSourceCommand extends infer C
  ? C extends Named
    ? Omit<C, keyof Named>
    : never
  : never;

const claim = async (deps: RunJobDeps, lease: Lease, found: Loaded, traceparent: string | undefined) => {
  const { execute, clock, owner, log } = deps;
  const context = workerContext(found, owner, traceparent);
  const stream = dataSourceStream(lease.data_source_id);
  try {
    const done = await execute(
      dataSource,
      stream,
      { type: 'claim', worker_id: owner, at: clock.now() },
      context,
    );
    const state = done.state as ExistingDataSource;
    const jobState = state.job;
    const { epoch, subject, ingestion_setting_id } = state;
    const report: Report = async (command) => {
      const full = { ...command, job_id: jobState.job_id, epoch, at: clock.now() } as DataSourceCommand;
      await execute(dataSource, stream, full, context);
    };
    const facts = {
      data_source_id: lease.data_source_id,
      tenant: lease.tenant,
      subject,
      ingestion_setting_id,
    };
    const job: Omit<Job, 'stillOurs'> = { ...facts, job: jobState, context, ...reports(clock, report) };
    return { job, report, epoch, revision: done.revision as bigint };
  } catch (error) {
    // The view of what is owed lags behind: the job was canceled, deleted or claimed already.
    if (!(error instanceof DomainError)) throw error;
    log.info('nothing to claim', { data_source_id: lease.data_source_id, reason: error.message });
    return null;
  }
};

const reports = (clock: Clock, report: Report): Pick<Job, 'begin' | 'progress'> => {
  let last = 0;
  return {
    begin: () => report({ type: 'begin' }).catch(lost),
    progress: async (counts: JobCounts) => {
      if (clock.now() - last < PROGRESS_MS) return;
      last = clock.now();
      await report({ type: 'progress', counts }).catch(lost);
    },
  };
};

const lost = (error: unknown): never => {
  if (error instanceof DomainError) throw new JobLost(error.message);
  throw error;
};

const reasonOf = (signal: AbortSignal): StopReason => signal.reason as StopReason;

const work = async (deps: RunJobDeps, job: Job, signal: AbortSignal): Promise<JobOutcome | null> => {
  const run = deps.jobs[job.subject.kind];
  const { data_source_id } = job;
  if (run === undefined) {
    const message = `this service has no connector for ${job.subject.kind}`;
    return { kind: 'failed', code: 'not_configured', error: { title: 'Not found at the provider', message } };
  }
  try {
    return await run(job, signal);
  } catch (error) {
    if (error instanceof JobLost || signal.aborted) return null;
    deps.log.error('job broke', { data_source_id, error: (error as Error).stack ?? String(error) });
    return {
      kind: 'transient',
      error: { title: 'Worker lost', message: `the worker broke: ${(error as Error).message}` },
    };
  }
};

/** Truth wins: what was finished before the word to stop arrived counts as finished. */
const record = async (
  { log }: RunJobDeps,
  report: Report,
  { outcome, told }: { readonly outcome: JobOutcome | null; readonly told: StopReason | null },
): Promise<void> => {
  const command = commandFor(outcome, told);
  if (command === null) return;
  try {
    await report(command);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.info('a late write was dropped', { command: command.type, reason: error.message });
  }
};

const commandFor = (outcome: JobOutcome | null, told: StopReason | null): UnnamedCommand | null => {
  if (told === 'fenced' || told === 'lease_lost' || told === 'deleted') return null;
  if (outcome?.kind === 'completed') return { type: 'complete', counts: outcome.counts };
  if (told === 'canceled') return { type: 'cancel_done', by: 'worker' };
  if (told === 'shutdown') return { type: 'retry', reason: 'worker_stopped' };
  if (outcome === null) return null;
  if (outcome.kind === 'failed') return { type: 'fail', code: outcome.code, error: outcome.error };
  return { type: 'retry', reason: 'transient_error', error: outcome.error };
};
