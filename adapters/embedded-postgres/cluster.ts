import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveTo } from './identity.ts';
import { ADMINISTRATOR } from './postmaster.ts';
import { run, type Runtime } from './program.ts';

/**
 * Stretching is for passwords that can be guessed, and both ends of every connection pay for it. These are 24 random
 * bytes, or made from them.
 */
export const ITERATIONS = 1;

export const clusterOf = (dataDir: string): string => join(dataDir, 'cluster');

/** Whether there is one, whole or damaged. */
export const clusterExists = async (dataDir: string): Promise<boolean> => {
  const entries = await readdir(clusterOf(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.length > 0;
};

/**
 * Refuses a cluster that is damaged, or that another major version of Postgres made, before anything is changed in it.
 *
 * @throws naming the file, and what to do
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
  const made = text.trim();
  if (made === '') {
    throw new Error(
      `${file} is ${(await exists(file)) ? 'empty' : 'missing'}: this folder of Postgres is damaged; put it back from ` +
        'a backup, or move it away to begin without data',
    );
  }
  const own = await majorVersion(runtime, signal);
  if (made === own) return;
  throw new Error(
    `${clusterOf(dataDir)} was made by Postgres ${made}, the embedded server is Postgres ${own}: use the version of ` +
      'the program that made it, or another KNOWLEDGER_DATA_DIR',
  );
};

/**
 * Makes the cluster beside its place, then moves it there, so that a crash leaves none or a whole one.
 * UTF-8 with the built-in C.UTF-8 locale: texts compare by code point on every operating system.
 */
export const makeCluster = async (
  runtime: Runtime,
  dataDir: string,
  password: string,
  signal?: AbortSignal,
): Promise<void> => {
  const draft = join(dataDir, 'cluster.new');
  const secret = join(dataDir, 'initdb-password');
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(secret, password, { mode: 0o600 });
    for (const path of [draft, secret]) await giveTo(runtime.identity, path);
    const places = [`--pgdata=${draft}`, `--username=${ADMINISTRATOR}`, `--pwfile=${secret}`];
    await run(runtime, 'initdb', [...places, ...MADE_WITH], { signal });
    await rename(draft, clusterOf(dataDir));
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  } finally {
    await rm(secret, { force: true });
  }
};

const MADE_WITH = [
  '--auth=scram-sha-256',
  `--set=scram_iterations=${ITERATIONS}`,
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
