import { statfs } from 'node:fs/promises';
import { clusterOf } from './cluster.ts';
import { passwordFileOf } from './credentials.ts';

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/;
/** Below this Postgres cannot write the next part of its log. */
const MIN_BYTES = 16 * 1024 * 1024;

/**
 * An error of starting the server, with the reason where that is the disk: on a full one the server's own log, which
 * lies there too, may have nothing to say.
 */
export const withReason = async (dataDir: string, error: Error): Promise<Error> => {
  const free = await statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
  if (!FULL.test(error.message) && free >= MIN_BYTES) return error;
  const left = `${Math.floor(free / 1024).toLocaleString('en')} kB left`;
  return new Error(`the disk of ${dataDir} is full (${left}): make room there. ${error.message}`, {
    cause: error,
  });
};

export const wrongPassword = (dataDir: string): Error =>
  new Error(
    `the password in ${passwordFileOf(dataDir)} is not that of ${clusterOf(dataDir)}: put back the file that belongs ` +
      'to it, or delete the file, and the next start sets a new password',
  );
