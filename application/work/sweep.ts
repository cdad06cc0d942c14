import { dataSource, type DataSourceCommand } from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Execute } from '../execute.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Abandoned, WorkLeases } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { type HoldDeps, load, workerContext } from './hold.ts';
import type { WorkError } from './job.ts';

export interface SweepDeps extends Pick<HoldDeps, 'store' | 'codec' | 'owner'> {
  readonly leases: WorkLeases;
  readonly execute: Execute;
  readonly clock: Clock;
  readonly log: Logger;
}

const MOST = 100;

/** Ends or requeues jobs that nobody works on any more. Safe to run anywhere and often: the aggregate judges. */
export const sweepAbandoned = async (deps: SweepDeps): Promise<void> => {
  for (const abandoned of await deps.leases.abandoned(MOST)) {
    await sweepOne(deps, abandoned).catch((error: unknown) => {
      // One that cannot be read, for example because a newer version wrote to it, must not keep the others waiting.
      deps.log.warn('an abandoned job was left', {
        data_source_id: abandoned.data_source_id,
        error: (error as Error).message,
      });
    });
  }
};

const sweepOne = async (deps: SweepDeps, abandoned: Abandoned): Promise<void> => {
  const found = await load(deps, abandoned.data_source_id);
  if (found === null) return;
  // A limit that has passed is the job's end; asked to cancel, a worker that lives has its time to answer.
  if (abandoned.reason === 'timed_out' && found.state.status === 'canceling') return;
  const context = {
    ...workerContext(found, deps.owner),
    actor: { kind: 'system', id: 'sweeper' },
  } as const;
  const command = commandFor(abandoned, deps.clock.now());
  try {
    const { data_source_id, reason } = abandoned;
    const { events } = await deps.execute(dataSource, dataSourceStream(data_source_id), command, context);
    // None: the worker has acknowledged the cancel in the meantime.
    if (events.length > 0) deps.log.warn('abandoned job', { data_source_id, reason });
  } catch (error) {
    // The view lags: the worker has reported in the meantime.
    if (!(error instanceof DomainError)) throw error;
  }
};

const commandFor = ({ reason, status, job_id, epoch }: Abandoned, at: number): DataSourceCommand => {
  const own = { job_id, epoch, at };
  if (reason === 'cancel_timed_out') return { type: 'cancel_done', by: 'timeout', ...own };
  if (reason === 'worker_lost') {
    return { type: 'retry', reason, error: error('Worker lost', 'the worker stopped answering'), ...own };
  }
  if (status === 'starting') {
    return { type: 'retry', reason, error: error('Timed out', 'the job did not start within 180 s'), ...own };
  }
  return { type: 'fail', code: reason, error: error('Timed out', 'the job ran for 24 hours'), ...own };
};

const error = (title: WorkError['title'], message: string): WorkError => ({ title, message });
