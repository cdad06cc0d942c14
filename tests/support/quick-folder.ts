import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const GIGABYTE = 1024 ** 3;

/**
 * Where the Postgres of a run has its files: in memory where there is much of it. Nothing of them outlives the run, and
 * each test makes and drops databases of 300 files: a file system may be slow with files that come after others just
 * deleted. Tests of views took 114 s of the processor on one without a journal, and 68 s in memory.
 */
export const quickFolder = (): string => {
  if (process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const isRoomy = bavail * bsize >= 6 * GIGABYTE && process.availableMemory() >= 10 * GIGABYTE;
    return isRoomy ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};
