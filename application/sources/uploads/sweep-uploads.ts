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

export interface SweepUploadsDeps extends RemoveLeftDeps {
  readonly uploads: Pick<UploadLeases, 'abandoned' | 'release'>;
  readonly log: Logger;
  readonly owner: string;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 15_000;
const MOST = 20;

/**
 * Removes what uploads have left whose processes died, until aborted. Any number of processes may: what is gone is gone.
 * Never rejects.
 */
export const runUploadSweeps = async (deps: SweepUploadsDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await sweepUploads(deps);
    } catch (error) {
      deps.log.warn('uploads that broke off are left for now', { error: (error as Error).message });
    }
    await deps.idle(POLL_MS, signal);
  }
};

const sweepUploads = async (deps: SweepUploadsDeps): Promise<void> => {
  for (const upload of await deps.uploads.abandoned(MOST)) {
    await removeLeft(deps, upload, (created) => sweeperContext(created, deps.owner));
    await deps.uploads.release(upload.id);
    deps.log.info('an upload that broke off was removed', { upload: upload.id });
  }
};

export interface RemoveLeftDeps {
  readonly execute: Execute;
  readonly files: Pick<FileAreas, 'remove'>;
  readonly clock: Clock;
}

/**
 * Removes what an upload leaves that broke off: first the group that was made for it, then its bytes. So bytes go only
 * when nothing names them: a group that has got its files is none of the upload's any more, whatever became of it then.
 */
export const removeLeft = async (
  { execute, files, clock }: RemoveLeftDeps,
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
