import { dataSource, pauseAfter } from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Execute } from '../execute.ts';
import type { Deletions } from '../ports/deletions.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Lease, PutOff } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { workerContext } from '../work/loaded.ts';
import type { IsPassing } from '../work/passing.ts';
import { type HeldWork, type PutDown, reasonOf, type WorkHandler, WorkLost } from '../work/work-handler.ts';
import { type FailedDeletionsDeps, takeUpDeletions } from './failed-deletions.ts';
import { type LoadedDataSource, loadDataSource, type Purge, type WorkError } from './job.ts';
import { INGESTION_PURGE } from './kinds-of-work.ts';

export interface PurgeHandlerDeps extends FailedDeletionsDeps {
  readonly deletions: Deletions;
  /** Fails at once where the store is away: a pause is made without holding a lease. */
  readonly executeAtOnce: Execute;
  readonly tracing: Tracing;
  readonly isPassing: IsPassing;
  readonly purge: Purge;
}

/** Accepted deletions of data sources. */
export const createPurgeHandler = (deps: PurgeHandlerDeps): WorkHandler => ({
  kind: INGESTION_PURGE,
  idName: 'data_source_id',
  run: (held) => runPurge(deps, held),
  tidy: async () => {
    await takeUpDeletions(deps);
    await deps.deletions.forgetRemoved();
  },
});

/**
 * Does an accepted deletion, and says what is to become of its lease. A try that fails is logged once. It is put off,
 * or, where `pauseAfter` gives it up, recorded as failed.
 */
const runPurge = async (deps: PurgeHandlerDeps, held: HeldWork): Promise<PutDown> => {
  const { lease, shutdown } = held;
  let found: LoadedDataSource | null = null;
  try {
    found = await loadDataSource(deps.executeAtOnce, lease.id);
    const over = isOver(found);
    if (found === null || over !== null) return over ?? 'gone';
    await purgeAll(deps, held, found);
    return 'gone';
  } catch (error) {
    if (shutdown.aborted) return 'stopped';
    if (error instanceof WorkLost) return 'lost';
    return afterFailure(deps, lease, found, error);
  }
};

/** What becomes of the lease where nothing is left to delete; null: the deletion is still asked for. */
const isOver = (found: LoadedDataSource | null): 'gone' | 'done' | null => {
  if (found === null || found.state.status === 'removed') return 'gone';
  return found.state.status === 'deleting' ? null : 'done';
};

const purgeAll = async (
  deps: PurgeHandlerDeps,
  { lease, watched }: HeldWork,
  found: LoadedDataSource,
): Promise<void> => {
  const { id: data_source_id, tenant } = lease;
  const stream = dataSourceStream(data_source_id);
  const attributes = { 'knowledger.data_source_id': data_source_id };
  await deps.tracing.inSpan('deletion', found.metadata, attributes, async (traceparent) => {
    const context = workerContext(found, deps.owner, traceparent);
    // No event stops a deletion, and no claim can take it over.
    const stopReason = () => undefined;
    const removed = await watched({ stream, revision: found.revision, stopReason }, (signal) =>
      deps.purge({ data_source_id, tenant, context }, signal).catch((error: unknown) => {
        throw signal.aborted ? new WorkLost(reasonOf(signal)) : error;
      }),
    );
    const command = { type: 'delete_done', ...removed, at: deps.clock.now() } as const;
    await deps.executeAtOnce(dataSource, stream, command, context).catch((error: unknown) => {
      throw isRefused(error) ? new WorkLost('another worker has ended the deletion') : error;
    });
  });
};

const afterFailure = async (
  deps: PurgeHandlerDeps,
  lease: Lease,
  found: LoadedDataSource | null,
  error: unknown,
): Promise<PutDown> => {
  const { id: data_source_id, attempt } = lease;
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
  { executeAtOnce }: PurgeHandlerDeps,
  data_source_id: string,
): Promise<'gone' | 'done' | null> => {
  try {
    return isOver(await loadDataSource(executeAtOnce, data_source_id));
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
  { clock, executeAtOnce, owner, log }: PurgeHandlerDeps,
  { id: data_source_id }: Lease,
  found: LoadedDataSource,
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
