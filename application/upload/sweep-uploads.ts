import { dataSource } from '../../domain/data-source/index.ts';
import type { Execute } from '../execute.ts';
import { loadDataSource } from '../ingestion/job.ts';
import type { FileAreas } from '../ports/file-areas.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { UploadsUnderWay, UploadUnderWay } from '../ports/uploads-under-way.ts';
import { dataSourceStream } from '../streams.ts';
import { sweeperContext } from '../work/loaded.ts';

export interface SweepUploadsDeps {
  readonly execute: Execute;
  readonly files: Pick<FileAreas, 'remove'>;
  readonly uploads: Pick<UploadsUnderWay, 'abandoned' | 'release'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const LOOK_MS = 15_000;
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
    await deps.idle(LOOK_MS, signal);
  }
};

const sweepUploads = async (deps: SweepUploadsDeps): Promise<void> => {
  for (const upload of await deps.uploads.abandoned(MOST)) {
    await removeLeft(deps, upload);
    await deps.uploads.release(upload.id);
    deps.log.info('an upload that broke off was removed', { upload: upload.id });
  }
};

/** A group that has got its files is none of the upload's any more, whatever became of the process then. */
const removeLeft = async (
  { execute, files, clock, owner }: SweepUploadsDeps,
  { id, createdId }: UploadUnderWay,
): Promise<void> => {
  const created = createdId === null ? null : await loadDataSource(execute, createdId);
  const waits = created?.state.status === 'not_started';
  if (created !== null && createdId !== null && waits) {
    const command = { type: 'delete', at: clock.now() } as const;
    await execute(dataSource, dataSourceStream(createdId), command, sweeperContext(created, owner));
  }
  if (id !== createdId || created === null) await files.remove(id);
};
