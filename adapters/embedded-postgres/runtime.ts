import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBinariesRunnable, copyBinaries, executable, locateBinaries } from './binaries.ts';
import { clusterOf } from './cluster.ts';
import { type Identity, canRun, identities } from './identity.ts';
import type { Runtime } from './program.ts';

/**
 * Finds runnable binaries and the identity to run them: the installed files if possible, else a copy in the
 * data directory (if the other user cannot read the installed files, or we cannot write the missing links).
 */
export const prepareRuntime = async (
  dataDir: string,
  log: (line: string) => void,
  given: { readonly installed?: string; readonly identities?: readonly Identity[] } = {},
): Promise<Runtime> => {
  const installed = given.installed ?? locateBinaries();
  const candidates: Identity[] = [];
  for (const identity of given.identities ?? (await identities(clusterOf(dataDir)))) {
    if (await reaches(identity, dataDir)) candidates.push(identity);
  }
  if (candidates.length === 0) throw new Error(CLOSED_TO_ROOT);
  const complete = await makeBinariesRunnable(installed).then(
    () => true,
    () => false,
  );
  const direct = complete && candidates.find((candidate) => runs(candidate, installed));
  if (direct) return { native: installed, identity: direct };
  log('copying the Postgres binaries into the data directory: the installed files cannot be run');
  const native = await copyBinaries(installed, join(dataDir, 'binaries'));
  const identity = candidates.find((candidate) => runs(candidate, native));
  if (!identity) throw new Error(NOT_RUNNABLE);
  return { native, identity };
};

/** Another user must be able to traverse the data directory, but not to list or read it. */
const reaches = async (identity: Identity, dataDir: string): Promise<boolean> => {
  if (identity.kind !== 'user') return true;
  await chmod(dataDir, 0o711);
  return canRun(identity, 'test', ['-x', dataDir]);
};

const runs = (identity: Identity, native: string): boolean =>
  canRun(identity, executable(native, 'postgres'), ['-V']);

const CLOSED_TO_ROOT =
  'Postgres refuses to run as root, user namespaces are not allowed here, and another user cannot reach the data ' +
  'directory: run the service as an ordinary user, choose a data directory whose parent folders others may enter ' +
  '(for example below /var/lib), or give the service a Postgres server';
const NOT_RUNNABLE =
  'the embedded Postgres does not run on this system (its Linux builds need glibc): give the service a Postgres server';
