import { dataSource } from '../../../domain/data-source/index.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { sweeperContext } from '../../jobs/load-work.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { UploadLease, UploadLeases } from '../../ports/leases.ts';
import type { Logger } from '../../ports/logger.ts';
import { type LoadedDataSource, loadDataSource } from '../ingestion/job.ts';

export interface SweepUploadsDeps extends RemoveAbandonedDeps {
  readonly uploads: Pick<UploadLeases, 'abandoned' | 'release'>;
  readonly log: Logger;
  readonly owner: string;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 15_000;
const MOST = 20;

/**
 * Removes the remains of uploads whose processes died, until aborted. Any number of processes may run it. Never
 * rejects.
 */
export const runUploadSweeps = async (deps: SweepUploadsDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await sweepUploads(deps);
    } catch (error) {
      deps.log.warn('the sweep of abandoned uploads failed', { error: (error as Error).message });
    }
    await deps.idle(POLL_MS, signal);
  }
};

const sweepUploads = async (deps: SweepUploadsDeps): Promise<void> => {
  for (const upload of await deps.uploads.abandoned(MOST)) {
    await removeAbandoned(deps, upload, (created) => sweeperContext(created, deps.owner));
    await deps.uploads.release(upload.id);
    deps.log.info('an abandoned upload was removed', { upload: upload.id });
  }
};

export interface RemoveAbandonedDeps {
  readonly execute: Execute;
  readonly files: Pick<FileAreas, 'remove'>;
  readonly clock: Clock;
}

/**
 * Removes the remains of a failed upload: first the group that was created for it, then its bytes, so that nothing
 * refers to deleted bytes. A group that has received its files no longer belongs to the upload, whatever happens to it.
 */
export const removeAbandoned = async (
  { execute, files, clock }: RemoveAbandonedDeps,
  { id, createdId }: UploadLease,
  contextOf: (created: LoadedDataSource) => CommandContext,
): Promise<void> => {
  const created = createdId === null ? null : await loadDataSource(execute, createdId);
  if (created !== null && created.state.status !== 'none' && createdId !== null) {
    const { status, uploaded } = created.state;
    if (uploaded !== undefined && id === createdId) return;
    const command = { type: 'delete', at: clock.now() } as const;
    if (uploaded === undefined && status !== 'removed')
      await execute(dataSource, dataSourceStream(createdId), command, contextOf(created));
  }
  await files.remove(id);
};
