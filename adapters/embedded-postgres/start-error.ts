import { statfs } from 'node:fs/promises';
import { clusterOf } from './cluster.ts';
import { passwordFileOf } from './credentials.ts';

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/;
/** With less free space Postgres cannot write its next WAL segment. */
const MIN_BYTES = 16 * 1024 * 1024;

/**
 * Adds the reason to a start error if the disk is full: the server's log is on the same disk and may be
 * incomplete.
 */
export const explainStartError = async (dataDir: string, error: Error): Promise<Error> => {
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
    `the password in ${passwordFileOf(dataDir)} is not the password of ${clusterOf(dataDir)}: restore the file that belongs ` +
      'to it, or delete the file, and the next start sets a new password',
  );
