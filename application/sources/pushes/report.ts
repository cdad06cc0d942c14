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
import type { LockPush } from './lock-push.ts';

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
 * The push after a report from its executor: a job that was marked as lost continues.
 *
 * @throws DomainError conflict if the job was canceled before it was lost: it ends as canceled
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
  if (canceled) throw new DomainError('conflict', 'the job was canceled and has ended');
  return done.state as ExistingDataSource;
};

const reconciliation = (status: 'managed' | 'canceled', at: number): DataSourceCommand => ({
  type: 'reconcile',
  status,
  at,
});

/** Records a heartbeat, and progress if it is due. Returns the position of the progress event, or null. */
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

export interface EndPushJobDeps extends ReportDeps {
  readonly lockPush: LockPush;
  readonly feed: Pick<EventFeed, 'head'>;
  readonly gate: ReadGate;
}

/** How an executor reports the end of its job. */
export type ReportedEnd = { readonly kind: 'complete' } | { readonly kind: 'fail'; readonly error: JobError };

const SEARCHABLE_MS = 10_000;
const CODE = 'reported';

/**
 * Ends the newest job of a push as its executor reports. A repeated report changes nothing. The real outcome wins: a
 * job that completes before it sees a cancel has succeeded.
 *
 * @throws DomainError not_found, conflict, source_deleting
 */
export const endPushJob = (
  deps: EndPushJobDeps,
  caller: Caller,
  { id, jobId }: { readonly id: string; readonly jobId: string },
  end: ReportedEnd,
): Promise<void> =>
  deps.lockPush(caller, id, async ({ state, assertLeaseHeld }) => {
    await mustBeNewest(deps, caller, id, jobId, state);
    if (hasAlreadyEnded(state, end)) return;
    const counts = await deps.itemStore.counts(runOf(id, state));
    // A job has succeeded when its documents are searchable. If projections are stuck, /readyz reports it.
    await deps.gate.reached(['catalog'], await deps.feed.head(), SEARCHABLE_MS);
    assertLeaseHeld();
    const command = commandFor(state, end, counts, deps.clock.now());
    await deps.execute(dataSource, dataSourceStream(id), command, caller.context);
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
    throw new DomainError('source_deleting', 'the push is being deleted, which has ended its job');
  if (state.job.jobId === jobId) return;
  const past = await execute.history(dataSource, dataSourceStream(id), tenant);
  if (past.some(({ event }) => event.type === 'JobQueued' && event.jobId === jobId))
    throw new DomainError('conflict', `this job was followed by another: ${state.job.jobId}`);
  throw new DomainError('not_found', 'there is no such job of this push');
};

/** Whether the job has already ended this way. A late report on a canceled job counts as such. */
const hasAlreadyEnded = ({ status }: ExistingDataSource, { kind }: ReportedEnd): boolean =>
  kind === 'complete' ? status === 'success' : status === 'failure' || status === 'canceled';

const commandFor = (
  { status, job, epoch }: ExistingDataSource,
  end: ReportedEnd,
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
