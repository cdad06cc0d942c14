import type { CommandContext } from '../event-metadata.ts';
import type { FileAreas } from '../ports/file-areas.ts';
import type { LocalFileStore } from '../ports/file-store.ts';
import type { Clock, Hash, IdSource } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { UploadsUnderWay } from '../ports/uploads-under-way.ts';
import type { Execute } from '../execute.ts';
import { WorkLost } from '../work/work-handler.ts';

export interface UploadDeps {
  readonly execute: Execute;
  readonly files: FileAreas;
  readonly uploads: UploadsUnderWay;
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
  /** From now on this data source goes with the upload, should it break off. */
  readonly create: (dataSourceId: string) => Promise<void>;
  /** To be called before anything is made of the bytes. @throws WorkLost: this process stood still for too long */
  readonly stillOurs: () => Promise<void>;
}

/**
 * Has `use` fill an area of its own, which goes when `use` fails. What a process that dies leaves behind is found by
 * `sweepUploads`.
 *
 * @param undo what else goes when `use` fails
 */
export const withUploadArea = async <Result>(
  { files, uploads, every, log }: UploadDeps,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  use: (upload: UploadArea) => Promise<Result>,
  undo: () => Promise<void> = async () => {},
): Promise<Result> => {
  await uploads.hold({ id, tenant, createdId: null }, HELD_MS);
  const renewing = every(RENEW_MS, async () => void (await uploads.renew(id, HELD_MS)));
  try {
    const result = await use({
      id,
      area: await files.area(id, 'caller'),
      create: (createdId) => uploads.hold({ id, tenant, createdId }, HELD_MS),
      stillOurs: async () => {
        if (!(await uploads.renew(id, HELD_MS))) throw new WorkLost('the upload stood still for too long');
      },
    });
    await uploads.release(id);
    return result;
  } catch (error) {
    // What cannot be undone now is found later.
    await undoAll([() => files.remove(id), undo, () => uploads.release(id)]).catch((left: unknown) =>
      log.warn('an upload that broke off is left for now', { upload: id, error: (left as Error).message }),
    );
    throw error;
  } finally {
    renewing.stop();
  }
};

const undoAll = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
  for (const step of steps) await step();
};

/** For what is to be done whether or not the client still waits. */
export const unhurried = (context: CommandContext): CommandContext => {
  const { signal: _, ...kept } = context;
  return kept;
};
