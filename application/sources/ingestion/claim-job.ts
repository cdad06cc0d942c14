import {
  dataSource,
  type DataSourceCommand,
  type ExistingDataSource,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { RetryingExecute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Lease } from '../../ports/leases.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { workerContext } from '../../jobs/load-work.ts';
import type { Job, LoadedDataSource } from './job.ts';
import { type ProgressReports, createProgressReports } from './progress-reports.ts';

export interface ClaimDeps {
  readonly execute: RetryingExecute;
  readonly clock: Clock;
  readonly owner: string;
  readonly log: Logger;
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Executes a command of the claim. `assertLeaseHeld` is called just before the append.
 *
 * @throws DomainError when it is refused, and what `assertLeaseHeld` throws
 */
export type Report = (command: UnnamedCommand, assertLeaseHeld?: () => void) => Promise<void>;
type Named = { readonly jobId: string; readonly epoch: number; readonly at: number };
/** A command of the job's holder, without the fields that every such command has. */
export type UnnamedCommand = DataSourceCommand extends infer C
  ? C extends Named
    ? Omit<C, keyof Named>
    : never
  : never;

export interface Claimed {
  readonly job: Omit<Job, 'assertLeaseHeld' | 'begin' | 'progress' | 'yieldSlot'>;
  readonly reports: ProgressReports;
  readonly report: Report;
  /** The fencing token of this claim. */
  readonly epoch: number;
  readonly revision: bigint;
}

/** Claims the leased job; null if there is none any more. */
export const claim = async (
  { execute, clock, owner, log, sleep }: ClaimDeps,
  lease: Pick<Lease, 'id' | 'tenant'>,
  found: LoadedDataSource,
  traceparent: string | undefined,
): Promise<Claimed | null> => {
  const context = workerContext(found, owner, traceparent);
  const { id: dataSourceId, tenant } = lease;
  const stream = dataSourceStream(dataSourceId);
  try {
    const command = { type: 'claim', workerId: owner, at: clock.now() } as const;
    const done = await execute(dataSource, stream, command, context);
    const { job, epoch, subject, ingestionSettingId } = done.state as ExistingDataSource;
    const report: Report = async (unnamed, assertLeaseHeld) => {
      const full = { ...unnamed, jobId: job.jobId, epoch, at: clock.now() } as DataSourceCommand;
      await execute(dataSource, stream, full, context, assertLeaseHeld && { guard: assertLeaseHeld });
    };
    const facts = { dataSourceId, tenant, subject, ingestionSettingId, state: job, context };
    const reports = createProgressReports({ clock, sleep, log, report });
    return { job: facts, reports, report, epoch, revision: done.revision as bigint };
  } catch (error) {
    // The view of pending work lagged: the job was already canceled, deleted or claimed.
    if (!(error instanceof DomainError)) throw error;
    log.info('nothing to claim', { dataSourceId, reason: error.message });
    return null;
  }
};
