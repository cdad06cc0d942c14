import { dataSource } from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Execute } from '../execute.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Lease } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { hold, type HoldDeps, load, workerContext } from './hold.ts';
import type { Purge } from './job.ts';

export interface RunPurgeDeps extends HoldDeps {
  readonly execute: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly purge: Purge;
}

const TRIES = 3;

/** Does an accepted deletion. Gives up, visibly, when the third try fails too. Answers whether it is over. */
export const runLeasedPurge = async (
  deps: RunPurgeDeps,
  lease: Lease,
  shutdown: AbortSignal,
): Promise<boolean> => {
  const { execute, clock, log, purge, owner } = deps;
  const { data_source_id, tenant } = lease;
  const found = await load(deps, data_source_id);
  if (found?.state.status !== 'deleting') return true;
  const attributes = { 'knowledger.data_source_id': data_source_id };
  return deps.tracing.inSpan('deletion', found.metadata, attributes, async (traceparent) => {
    const context = workerContext(found, owner, traceparent);
    const stream = dataSourceStream(data_source_id);
    try {
      const removed = await hold(deps, lease, found, shutdown, (signal) =>
        purge({ data_source_id, tenant, context }, signal),
      );
      await execute(dataSource, stream, { type: 'delete_done', ...removed, at: clock.now() }, context);
      return true;
    } catch (error) {
      if (shutdown.aborted) return false;
      const message = (error as Error).message;
      log.error('deletion failed', { data_source_id, attempt: lease.attempt, error: message });
      if (error instanceof DomainError) return true;
      if (lease.attempt < TRIES) return false;
      const reason = { title: 'Worker lost', message: `the deletion failed ${TRIES} times: ${message}` };
      await execute(dataSource, stream, { type: 'delete_failed', error: reason, at: clock.now() }, context);
      return true;
    }
  });
};
