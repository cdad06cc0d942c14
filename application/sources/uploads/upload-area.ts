import type { CommandContext } from '../../ports/event-metadata.ts';
import type { FileAreas, LocalFileStore } from '../../ports/file-store.ts';
import type { Clock, Hash, IdSource } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadLeases } from '../../ports/leases.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import { removeLeft } from './remove-left.ts';

export interface UploadDeps {
  readonly execute: Execute;
  readonly files: FileAreas;
  readonly uploads: UploadLeases;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly log: Logger;
  /** Calls `run` every `ms` until it is stopped. */
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

const HELD_MS = 60_000;
const RENEW_MS = 20_000;

/** Where the bytes of one upload wait. */
export interface UploadArea {
  readonly id: string;
  readonly area: LocalFileStore;
  /** From now on this data source goes with the upload, should it break off. @param context of its deletion */
  readonly create: (dataSourceId: string, context: CommandContext) => Promise<void>;
  /** To be called before anything is made of the bytes. @throws WorkLost: this process stood still for too long */
  readonly stillOurs: () => Promise<void>;
}

/**
 * Has `use` fill an area of its own. When `use` fails, the area goes, and before it what was made for the upload, unless
 * that has got its files. What cannot be removed at once, or is left by a process that dies, is found by `sweepUploads`.
 */
export const withUploadArea = async <Result>(
  deps: UploadDeps,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  use: (upload: UploadArea) => Promise<Result>,
): Promise<Result> => {
  const { files, uploads, every, log } = deps;
  const created: { id: string | null; context: CommandContext | null } = { id: null, context: null };
  await uploads.hold({ id, tenant, createdId: null }, HELD_MS);
  const renewing = every(RENEW_MS, async () => void (await uploads.renew(id, HELD_MS)));
  const leftForNow = (left: unknown): void =>
    log.warn('an upload is left to the sweep for now', { upload: id, error: (left as Error).message });
  try {
    const result = await use({
      id,
      area: await files.area(id, 'caller'),
      create: (createdId, context) => {
        Object.assign(created, { id: createdId, context });
        return uploads.hold({ id, tenant, createdId }, HELD_MS);
      },
      stillOurs: async () => {
        if (!(await uploads.renew(id, HELD_MS))) throw new WorkLost('the upload stood still for too long');
      },
    });
    await uploads.release(id).catch(leftForNow);
    return result;
  } catch (error) {
    await removeLeft(deps, { id, tenant, createdId: created.id }, () => unhurried(created.context!))
      .then(() => uploads.release(id))
      .catch(leftForNow);
    throw error;
  } finally {
    renewing.stop();
  }
};

/** For what is to be done whether or not the client still waits. */
const unhurried = (context: CommandContext): CommandContext => {
  const { signal: _, ...kept } = context;
  return kept;
};
