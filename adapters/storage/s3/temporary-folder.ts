import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/** Folders on this machine that live as long as one task. */
export interface TemporaryFolders {
  /** Lets `use` have an empty folder, and deletes it afterwards. @throws what `use` throws */
  readonly within: <Result>(use: (folder: string) => Promise<Result>) => Promise<Result>;
}

/** Folders under `directory`. Those of processes that crashed more than a day ago go when the first one is made. */
export const createTemporaryFolders = (directory: string, now: () => number = Date.now): TemporaryFolders => {
  let ready: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      // Another process may be deleting it at this moment.
      const info = await stat(path).catch(() => null);
      if (info !== null && info.mtimeMs < now() - DAY_MS) await rm(path, { recursive: true, force: true });
    }
  };
  return {
    within: async (use) => {
      await (ready ??= prepare());
      const folder = await mkdtemp(join(directory, 'files-'));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
};
