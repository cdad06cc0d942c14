import { dataSource, pauseAfter } from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Execute } from '../execute.ts';
import type { Logger } from '../ports/logger.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Lease, PutOff } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { hold, type HoldDeps, load, type Loaded, workerContext } from './hold.ts';
import { JobLost, type Purge, reasonOf, type WorkError } from './job.ts';
import { keepLease, type KeptLease } from './keep-lease.ts';
import type { IsPassing } from './passing.ts';

export interface RunPurgeDeps extends HoldDeps {
  /** Fails at once where the store is away: a pause is made without holding a lease. */
  readonly executeAtOnce: Execute;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly isPassing: IsPassing;
  readonly purge: Purge;
}

/** What becomes of a lease: `gone`, the data source is no more; `lost`, it is not ours any longer. */
export type PutDown = 'done' | 'stopped' | 'gone' | 'lost' | PutOff;

/**
 * Does an accepted deletion, and says what is to become of its lease. A try that fails is logged once. It is put off,
 * or, where `pauseAfter` gives it up, recorded as failed.
 */
export const runLeasedPurge = (deps: RunPurgeDeps, lease: Lease, shutdown: AbortSignal): Promise<PutDown> =>
  keepLease(deps, lease, async (kept) => {
    let found: Loaded | null = null;
    try {
      found = await load({ execute: deps.executeAtOnce }, lease.data_source_id);
      const over = isOver(found);
      if (found === null || over !== null) return over ?? 'gone';
      await purgeAll(deps, kept, found, shutdown);
      return 'gone';
    } catch (error) {
      if (shutdown.aborted) return 'stopped';
      if (error instanceof JobLost) return 'lost';
      return afterFailure(deps, lease, found, error);
    }
  });

/** What becomes of the lease where nothing is left to delete; null: the deletion is still asked for. */
const isOver = (found: Loaded | null): 'gone' | 'done' | null => {
  if (found === null || found.state.status === 'removed') return 'gone';
  return found.state.status === 'deleting' ? null : 'done';
};

const purgeAll = async (
  deps: RunPurgeDeps,
  kept: KeptLease,
  found: Loaded,
  shutdown: AbortSignal,
): Promise<void> => {
  const { data_source_id, tenant } = kept.lease;
  const attributes = { 'knowledger.data_source_id': data_source_id };
  await deps.tracing.inSpan('deletion', found.metadata, attributes, async (traceparent) => {
    const context = workerContext(found, deps.owner, traceparent);
    const removed = await hold(deps, kept, found, shutdown, (signal) =>
      deps.purge({ data_source_id, tenant, context }, signal).catch((error: unknown) => {
        throw signal.aborted ? new JobLost(reasonOf(signal)) : error;
      }),
    );
    const command = { type: 'delete_done', ...removed, at: deps.clock.now() } as const;
    await deps
      .executeAtOnce(dataSource, dataSourceStream(data_source_id), command, context)
      .catch((error: unknown) => {
        throw isRefused(error) ? new JobLost('another worker has ended the deletion') : error;
      });
  });
};

const afterFailure = async (
  deps: RunPurgeDeps,
  lease: Lease,
  found: Loaded | null,
  error: unknown,
): Promise<PutDown> => {
  const { data_source_id, attempt } = lease;
  // What fails may do so because somebody else has ended the deletion: then nothing has failed.
  const over = found === null ? null : await isOverByNow(deps, data_source_id);
  if (over !== null) return over;
  const passing = deps.isPassing(error);
  const told = { data_source_id, attempt, error: messageOf(error) };
  const at = deps.clock.now();
  // Where even the request cannot be read, neither can the end be written.
  const since = found === null || found.state.status === 'none' ? at : found.state.since;
  const tries = { passing, tries: attempt, lasting: lease.lasting + (passing ? 0 : 1), since };
  const pause = pauseAfter({ ...tries, at });
  const again = (ms: number): PutOff => {
    deps.log.warn('deletion will be tried again', { ...told, passing, in_seconds: Math.ceil(ms / 1000) });
    return { ms, passing };
  };
  if (pause !== null || found === null) return again(pause ?? LAST_PAUSE_MS);
  if (!(await isGivenUp(deps, lease, found, failureOf(told)))) return again(LAST_PAUSE_MS);
  deps.log.error('deletion failed', told);
  return 'done';
};

/** Null as well while it cannot be read. */
const isOverByNow = async (
  { executeAtOnce: execute }: RunPurgeDeps,
  data_source_id: string,
): Promise<'gone' | 'done' | null> => {
  try {
    return isOver(await load({ execute }, data_source_id));
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
  { clock, executeAtOnce, owner, log }: RunPurgeDeps,
  { data_source_id }: Lease,
  found: Loaded,
  error: WorkError,
): Promise<boolean> => {
  const command = { type: 'delete_failed', error, at: clock.now() } as const;
  try {
    await executeAtOnce(dataSource, dataSourceStream(data_source_id), command, workerContext(found, owner));
    return true;
  } catch (refusal) {
    if (isRefused(refusal)) return true;
    log.warn('a failed deletion could not be recorded', { data_source_id, error: messageOf(refusal) });
    return false;
  }
};

const isRefused = (error: unknown): boolean => error instanceof DomainError && error.code === 'conflict';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
