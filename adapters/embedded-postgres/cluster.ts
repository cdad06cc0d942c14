import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chownTo } from './identity.ts';
import { ADMINISTRATOR } from './postmaster.ts';
import { run, type Runtime } from './program.ts';

/**
 * SCRAM iterations. Key stretching protects guessable passwords and costs time at both ends of every
 * connection. These passwords are 24 random bytes or derived from them, so one iteration is enough.
 */
export const SCRAM_ITERATIONS = 1;

export const clusterOf = (dataDir: string): string => join(dataDir, 'cluster');

/** Whether the data directory has a cluster, intact or damaged. */
export const clusterExists = async (dataDir: string): Promise<boolean> => {
  const entries = await readdir(clusterOf(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.length > 0;
};

/**
 * Rejects a damaged cluster, or one of another major version of Postgres, before anything in it is changed.
 *
 * @throws an error that names the file and says what to do
 */
export const checkCluster = async (
  runtime: Runtime,
  dataDir: string,
  signal?: AbortSignal,
): Promise<void> => {
  const file = join(clusterOf(dataDir), 'PG_VERSION');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const clusterVersion = text.trim();
  if (clusterVersion === '') {
    throw new Error(
      `${file} is ${(await exists(file)) ? 'empty' : 'missing'}: this Postgres data directory is damaged; restore it ` +
        'from a backup, or move it away to start without data',
    );
  }
  const serverVersion = await majorVersion(runtime, signal);
  if (clusterVersion === serverVersion) return;
  throw new Error(
    `${clusterOf(dataDir)} was created by Postgres ${clusterVersion}, the embedded server is Postgres ${serverVersion}: use the version of ` +
      'the program that created it, or another KNOWLEDGER_DATA_DIR',
  );
};

/**
 * Creates the cluster in a temporary folder and renames it into place, so that a crash leaves no cluster or a
 * complete one. UTF-8 with the built-in C.UTF-8 locale: texts compare by code point on every operating
 * system.
 */
export const createCluster = async (
  runtime: Runtime,
  dataDir: string,
  password: string,
  signal?: AbortSignal,
): Promise<void> => {
  const stagingFolder = join(dataDir, 'cluster.new');
  const secret = join(dataDir, 'initdb-password');
  await rm(stagingFolder, { recursive: true, force: true });
  try {
    await mkdir(stagingFolder, { mode: 0o700 });
    await writeFile(secret, password, { mode: 0o600 });
    for (const path of [stagingFolder, secret]) await chownTo(runtime.identity, path);
    const pathOptions = [`--pgdata=${stagingFolder}`, `--username=${ADMINISTRATOR}`, `--pwfile=${secret}`];
    await run(runtime, 'initdb', [...pathOptions, ...INITDB_OPTIONS], { signal });
    await rename(stagingFolder, clusterOf(dataDir));
  } catch (error) {
    await rm(stagingFolder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  } finally {
    await rm(secret, { force: true });
  }
};

const INITDB_OPTIONS = [
  // MB: one or two files of the write-ahead log always stay, and usual ones take 16 each.
  '--wal-segsize=4',
  '--auth=scram-sha-256',
  `--set=scram_iterations=${SCRAM_ITERATIONS}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

const majorVersion = async (runtime: Runtime, signal?: AbortSignal): Promise<string> => {
  const text = await run(runtime, 'postgres', ['--version'], { signal });
  return /\b(\d+)[.a-z]/.exec(text)?.[1] ?? text;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
