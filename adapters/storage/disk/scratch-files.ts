import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScratchFiles } from '../../../application/ports/file-store.ts';

/**
 * Creates each file in its own folder in the system's temporary directory; only this user may enter the
 * folder.
 */
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
