import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a path to a socket: 103 on macOS, 107 on Linux. */
const LONGEST = 103;
/** `.s.PGSQL.5432`, and its lock. */
const SOCKET = '.s.PGSQL.';
const LONGEST_PORT = '65535';

/**
 * The folder for the socket of a cluster's server: a call through it costs some two thirds of one over TCP, and only the
 * owner of the folder gets there. Null where there are no such sockets, or the path to it would be too long: then TCP.
 */
export const socketFolder = (cluster: string): string | null => {
  if (process.platform === 'win32') return null;
  return Buffer.byteLength(join(cluster, SOCKET + LONGEST_PORT)) > LONGEST ? null : cluster;
};

/** What a server that was killed has left. The next one has another port, or takes the pid in its lock for its own. */
export const removeSockets = async (cluster: string): Promise<void> => {
  for (const name of await readdir(cluster)) {
    if (name.startsWith(SOCKET)) await rm(join(cluster, name), { force: true });
  }
};
