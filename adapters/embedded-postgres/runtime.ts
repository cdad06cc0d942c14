import { join } from 'node:path';
import { completeBinaries, copyBinaries, executable, locateBinaries } from './binaries.ts';
import { clusterOf } from './cluster.ts';
import type { Runtime } from './cluster.ts';
import { canRun, identities } from './identity.ts';
import type { Identity } from './identity.ts';

/**
 * Binaries that run, and the identity under which they do: the installed files where possible, else a private copy
 * in the data directory (installed files closed to the switched user, or incomplete and not ours to write).
 */
export const prepareRuntime = async (dataDir: string, log: (line: string) => void): Promise<Runtime> => {
  const installed = locateBinaries();
  const complete = await completeBinaries(installed).then(
    () => true,
    () => false,
  );
  const candidates = await identities(clusterOf(dataDir));
  if (complete) {
    const identity = candidates.find((candidate) => runs(candidate, installed));
    if (identity) return { native: installed, identity };
  }
  log(
    'copying the Postgres binaries into the data directory, as they cannot be run where they are installed',
  );
  const native = await copyBinaries(installed, join(dataDir, 'binaries'));
  const identity = candidates.find((candidate) => runs(candidate, native));
  if (identity) return { native, identity };
  throw new Error(candidates.some(({ kind }) => kind === 'user') ? CLOSED_TO_ROOT : NOT_RUNNABLE);
};

const runs = (identity: Identity, native: string): boolean =>
  canRun(identity, executable(native, 'postgres'), ['-V']);

const CLOSED_TO_ROOT =
  'Postgres refuses to run as root, user namespaces are not allowed here, and another user cannot reach the data ' +
  'directory: run the service as an ordinary user, choose a data directory whose parent folders others may enter ' +
  '(for example below /var/lib), or give the service a Postgres server';
const NOT_RUNNABLE =
  'the embedded Postgres does not run on this system (its Linux builds need glibc): give the service a Postgres server';
