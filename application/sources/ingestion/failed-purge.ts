import { dataSource, pauseAfter } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Lease, Deferral } from '../../ports/leases.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { workerContext } from '../../jobs/loaded.ts';
import type { IsTransient } from '../../jobs/transient.ts';
import type { PutDown } from '../../jobs/work-handler.ts';
import { type LoadedDataSource, loadDataSource, type WorkError } from './job.ts';

export interface FailedPurgeDeps {
  /** Fails at once where the store is away: a pause is made without holding a lease. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly isTransient: IsTransient;
}

/** What becomes of the lease where nothing is left to delete; null: the deletion is still asked for. */
export const isOver = (found: LoadedDataSource | null): 'gone' | 'done' | null => {
  if (found === null || found.state.status === 'removed') return 'gone';
  return found.state.status === 'deleting' ? null : 'done';
};

/**
 * Puts a failed try off, or, where `pauseAfter` gives the deletion up, records that it failed. Logged once.
 *
 * @param found what was to be deleted; null: even that could not be read
 */
export const afterFailure = async (
  deps: FailedPurgeDeps,
  lease: Lease,
  found: LoadedDataSource | null,
  error: unknown,
): Promise<PutDown> => {
  const { id: dataSourceId, attempt } = lease;
  // What fails may do so because somebody else has ended the deletion: then nothing has failed.
  const over = found === null ? null : await isOverByNow(deps, dataSourceId);
  if (over !== null) return over;
  const transient = deps.isTransient(error);
  const facts = { dataSourceId, attempt, error: messageOf(error) };
  const at = deps.clock.now();
  // Where even the request cannot be read, neither can the end be written.
  const since = found === null || found.state.status === 'none' ? at : found.state.since;
  const tries = { transient: transient, tries: attempt, lasting: lease.lasting + (transient ? 0 : 1), since };
  const pause = pauseAfter({ ...tries, at });
  const again = (ms: number): Deferral => {
    deps.log.warn('deletion will be tried again', {
      ...facts,
      transient: transient,
      inSeconds: Math.ceil(ms / 1000),
    });
    return { ms, transient: transient };
  };
  if (pause !== null || found === null) return again(pause ?? LAST_PAUSE_MS);
  if (!(await isGivenUp(deps, lease, found, failureOf(facts)))) return again(LAST_PAUSE_MS);
  deps.log.error('deletion failed', facts);
  return 'done';
};

/** Null as well while it cannot be read. */
const isOverByNow = async (
  { executeAtOnce }: FailedPurgeDeps,
  dataSourceId: string,
): Promise<'gone' | 'done' | null> => {
  try {
    return isOver(await loadDataSource(executeAtOnce, dataSourceId));
  } catch {
    return null;
  }
};

/** Before the failure is recorded once more, which could not be. */
const LAST_PAUSE_MS = 60_000;

const failureOf = ({ attempt, error }: { readonly attempt: number; readonly error: string }): WorkError => ({
  title: 'Deletion failed',
  message: `given up after ${attempt} tries, the last of which failed: ${error}. It is tried again in a day, or by DELETE`,
});

/** Whether it is over, by us or by somebody else. */
const isGivenUp = async (
  { clock, executeAtOnce, owner, log }: FailedPurgeDeps,
  { id: dataSourceId }: Lease,
  found: LoadedDataSource,
  error: WorkError,
): Promise<boolean> => {
  const command = { type: 'delete_failed', error, at: clock.now() } as const;
  try {
    await executeAtOnce(dataSource, dataSourceStream(dataSourceId), command, workerContext(found, owner));
    return true;
  } catch (refusal) {
    if (isRefused(refusal)) return true;
    log.warn('a failed deletion could not be recorded', { dataSourceId, error: messageOf(refusal) });
    return false;
  }
};

export const isRefused = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'conflict';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
