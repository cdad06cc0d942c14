import {
  dataSource,
  type DataSourceCommand,
  type ExistingDataSource,
  progressIsDue,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Position } from '../../ports/event-store.ts';
import type { ItemStore, ItemRun } from '../../ports/item-store.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';

export interface ReportDeps {
  readonly execute: Execute;
  readonly itemStore: ItemStore;
  readonly clock: Clock;
}

export const runOf = (id: string, { job }: ExistingDataSource): ItemRun => ({
  dataSourceId: id,
  generation: job.generation,
  judgedSince: 0,
});

/**
 * The push as it is once its executor is heard of: a job that was given up for lost goes on.
 *
 * @throws DomainError conflict for one that was canceled before it was lost: it ends by that
 */
export const heardOf = async (
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
export const noteReport = async (
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
