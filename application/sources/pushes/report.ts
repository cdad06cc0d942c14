import {
  type DataSourceCommand,
  type ExistingDataSource,
  type JobCounts,
  type JobError,
  dataSource,
  mustBePush,
  progressIsDue,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { EventFeed, Position } from '../../ports/event-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { ItemRun, ItemStore } from '../../ports/item-store.ts';
import type { ReadGate } from '../../ports/read-gate.ts';
import { type SweepFilesDeps, sweepFiles } from '../ingestion/ingest.ts';
import type { HoldPush } from './hold-push.ts';

export interface ReportDeps {
  readonly execute: Execute;
  readonly itemStore: ItemStore;
  readonly clock: Clock;
}

export const runOf = (id: string, { job }: ExistingDataSource): ItemRun => ({
  dataSourceId: id,
  generation: job.generation,
  rulesChangedAt: 0,
});

/**
 * The push as it is once its executor is heard of: a job that was given up for lost goes on.
 *
 * @throws DomainError conflict for one that was canceled before it was lost: it ends by that
 */
export const reconcileLostPush = async (
  { execute, clock }: ReportDeps,
  context: CommandContext,
  id: string,
  state: ExistingDataSource,
): Promise<ExistingDataSource> => {
  if (state.status !== 'unknown') return state;
  const canceled = state.job.cancelRequestedAt !== null;
  const command = reconciliation(canceled ? 'canceled' : 'managed', clock.now());
  const done = await execute(dataSource, dataSourceStream(id), command, context);
  if (canceled) throw new DomainError('conflict', 'the job was canceled, and has ended by that now');
  return done.state as ExistingDataSource;
};

const reconciliation = (status: 'managed' | 'canceled', at: number): DataSourceCommand => ({
  type: 'reconcile',
  status,
  at,
});

/** Notes a report, and tells of progress where that is due. Answers the position of what was written, if anything was. */
export const recordReport = async (
  { execute, itemStore, clock }: ReportDeps,
  context: CommandContext,
  id: string,
  state: ExistingDataSource,
): Promise<Position | null> => {
  const { job, epoch } = state;
  const at = clock.now();
  const run = runOf(id, state);
  await itemStore.recordHeartbeat(run, at);
  if (!progressIsDue(job, at)) return null;
  const counts = await itemStore.counts(run);
  const command = { type: 'progress', jobId: job.jobId, epoch, counts, at } as const;
  const done = await execute(dataSource, dataSourceStream(id), command, context);
  return done.events.length > 0 ? done.position : null;
};

export interface EndPushJobDeps extends ReportDeps, SweepFilesDeps {
  readonly hold: HoldPush;
  readonly feed: Pick<EventFeed, 'head'>;
  readonly gate: ReadGate;
}

/** How an executor says that its job came to its end. */
export type End = { readonly kind: 'complete' } | { readonly kind: 'fail'; readonly error: JobError };

const SEARCHABLE_MS = 10_000;
const CODE = 'reported';

/**
 * Ends the newest job of a push as its executor says; said again, it changes nothing. Truth wins: one that is complete
 * before it has seen a cancel has succeeded. Then the files go that no document refers to any more.
 *
 * @throws DomainError not_found, conflict, source_deleting
 */
export const endPushJob = (
  deps: EndPushJobDeps,
  caller: Caller,
  { id, jobId }: { readonly id: string; readonly jobId: string },
  end: End,
): Promise<void> =>
  deps.hold(caller, id, async ({ state, assertLeaseHeld }) => {
    await mustBeNewest(deps, caller, id, jobId, state);
    if (isSo(state, end)) return;
    const counts = await deps.itemStore.counts(runOf(id, state));
    // A job has succeeded when a search finds what it brought. Where projections stand still, /readyz says so.
    const searchable = await deps.gate.reached(['catalog'], await deps.feed.head(), SEARCHABLE_MS);
    assertLeaseHeld();
    const command = commandFor(state, end, counts, deps.clock.now());
    await deps.execute(dataSource, dataSourceStream(id), command, caller.context);
    // Whoever writes holds the push: what no document refers to now, nobody is about to name.
    if (searchable) await sweepFiles(deps, { dataSourceId: id, before: deps.clock.now(), assertLeaseHeld });
  });

const mustBeNewest = async (
  { execute }: EndPushJobDeps,
  { tenant }: Caller,
  id: string,
  jobId: string,
  state: ExistingDataSource,
): Promise<void> => {
  mustBePush(state);
  if (state.status === 'deleting' || state.status === 'delete_job_failure')
    throw new DomainError('source_deleting', 'the push is being deleted: its job has ended by that');
  if (state.job.jobId === jobId) return;
  const past = await execute.history(dataSource, dataSourceStream(id), tenant);
  if (past.some(({ event }) => event.type === 'JobQueued' && event.jobId === jobId))
    throw new DomainError('conflict', `this job was followed by another: ${state.job.jobId}`);
  throw new DomainError('not_found', 'there is no such job of this push');
};

/** A cancel that the executor answers late has its answer. */
const isSo = ({ status }: ExistingDataSource, { kind }: End): boolean =>
  kind === 'complete' ? status === 'success' : status === 'failure' || status === 'canceled';

const commandFor = (
  { status, job, epoch }: ExistingDataSource,
  end: End,
  counts: JobCounts,
  at: number,
): DataSourceCommand => {
  const { jobId } = job;
  if (status === 'unknown') {
    if (end.kind === 'complete') return { type: 'reconcile', status: 'success', counts, at };
    const outcome = job.cancelRequestedAt === null ? 'failure' : 'canceled';
    return { type: 'reconcile', status: outcome, error: end.error, counts, at };
  }
  if (end.kind === 'complete') return { type: 'complete', jobId, epoch, counts, at };
  return { type: 'fail', jobId, epoch, counts, error: end.error, code: CODE, at };
};
