import {
  dataSource,
  type DataSourceCommand,
  DELETION_REST,
  isToBeTakenUp,
} from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { CommandContext } from '../event-metadata.ts';
import type { Execute } from '../execute.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Abandoned, WorkLeases } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { type HoldDeps, load, type Loaded, workerContext } from './hold.ts';
import type { WorkError } from './job.ts';

export interface SweepDeps extends Pick<HoldDeps, 'owner'> {
  readonly leases: WorkLeases;
  /** Fails at once where the store is away: the others are not kept waiting. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
}

const MOST = 100;

/** Ends or requeues jobs that nobody works on any more. Safe to run anywhere and often: the aggregate judges. */
export const sweepAbandoned = async (deps: SweepDeps): Promise<void> => {
  await each(deps, await deps.leases.abandoned(MOST), 'an abandoned job was left', sweepOne);
};

/** Asks once more for deletions that were given up a day ago. As safe as the other. */
export const takeUpDeletions = async (deps: SweepDeps): Promise<void> => {
  const failed = await deps.leases.failedDeletions(deps.clock.now() - DELETION_REST, MOST);
  await each(deps, failed, 'a failed deletion was left', takeUpOne);
};

/** One that cannot be read, for example because a newer version wrote to it, must not keep the others waiting. */
const each = async <Found extends { readonly data_source_id: string }>(
  deps: SweepDeps,
  all: readonly Found[],
  message: string,
  one: (deps: SweepDeps, found: Found) => Promise<void>,
): Promise<void> => {
  for (const found of all) {
    await one(deps, found).catch((error: unknown) => {
      // The view lags: the worker has reported, or somebody has asked, in the meantime.
      if (error instanceof DomainError && error.code === 'conflict') return;
      const { data_source_id } = found;
      deps.log.warn(message, { data_source_id, error: (error as Error).message });
    });
  }
};

const sweepOne = async (deps: SweepDeps, abandoned: Abandoned): Promise<void> => {
  const { data_source_id, reason } = abandoned;
  const found = await load({ execute: deps.executeAtOnce }, data_source_id);
  if (found === null) return;
  // A limit that has passed is the job's end; asked to cancel, a worker that lives has its time to answer.
  if (reason === 'timed_out' && found.state.status === 'canceling') return;
  const command = commandFor(abandoned, deps.clock.now());
  const { events } = await deps.executeAtOnce(
    dataSource,
    dataSourceStream(data_source_id),
    command,
    sweeper(found, deps.owner),
  );
  // None: the worker has acknowledged the cancel in the meantime.
  if (events.length > 0) deps.log.warn('abandoned job', { data_source_id, reason });
};

const takeUpOne = async (
  deps: SweepDeps,
  { data_source_id }: { readonly data_source_id: string },
): Promise<void> => {
  const found = await load({ execute: deps.executeAtOnce }, data_source_id);
  if (found === null) return;
  const at = deps.clock.now();
  const guard = (state: Loaded['state']): void => {
    if (!isToBeTakenUp(state, at)) throw new DomainError('conflict', 'the deletion has been taken up');
  };
  const stream = dataSourceStream(data_source_id);
  const context = sweeper(found, deps.owner);
  await deps.executeAtOnce(dataSource, stream, { type: 'delete', at }, context, { guard });
  deps.log.info('deletion taken up again', { data_source_id });
};

const sweeper = (found: Loaded, owner: string): CommandContext => ({
  ...workerContext(found, owner),
  actor: { kind: 'system', id: 'sweeper' },
});

const commandFor = ({ reason, status, job_id, epoch }: Abandoned, at: number): DataSourceCommand => {
  const own = { job_id, epoch, at };
  if (reason === 'cancel_timed_out') return { type: 'cancel_done', by: 'timeout', ...own };
  if (reason === 'worker_lost') {
    return { type: 'retry', reason, error: error('Worker lost', 'the worker stopped answering'), ...own };
  }
  if (reason === 'worker_stopped') return { type: 'retry', reason, ...own };
  if (status === 'starting') {
    return { type: 'retry', reason, error: error('Timed out', 'the job did not start within 180 s'), ...own };
  }
  return { type: 'fail', code: reason, error: error('Timed out', 'the job ran for 24 hours'), ...own };
};

const error = (title: WorkError['title'], message: string): WorkError => ({ title, message });
