import type { Logger } from '../../ports/logger.ts';
import type { UploadLeases } from '../../ports/leases.ts';
import { sweeperContext } from '../../jobs/loaded.ts';
import { removeLeft, type RemoveLeftDeps } from './remove-left.ts';

export interface SweepUploadsDeps extends RemoveLeftDeps {
  readonly uploads: Pick<UploadLeases, 'abandoned' | 'release'>;
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
    await removeLeft(deps, upload, (created) => sweeperContext(created, deps.owner));
    await deps.uploads.release(upload.id);
    deps.log.info('an upload that broke off was removed', { upload: upload.id });
  }
};
