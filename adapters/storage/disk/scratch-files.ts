import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScratchFiles } from '../../../application/ports/file-store.ts';

/** In the system's folder for temporary files, each in a folder of its own that only this user may enter. */
export const scratchFiles: ScratchFiles = {
  withFile: async (bytes, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'knowledger-scratch-'));
    try {
      const path = join(directory, 'page');
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
      return await use(path);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};
