import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executable } from './binaries.ts';
import { commandAs, giveTo } from './identity.ts';
import type { Identity } from './identity.ts';
import { HOST, USER } from './postmaster.ts';

/** How and with what the programs of one data directory are run. */
export interface Runtime {
  readonly native: string;
  readonly identity: Identity;
}

export const clusterOf = (dataDir: string): string => join(dataDir, 'cluster');

/** Null before the first start. */
export const readPassword = (dataDir: string): Promise<string | null> =>
  readFile(join(dataDir, 'password'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** The password of the data directory, made at the first call, readable by our own user alone. */
export const ensurePassword = async (dataDir: string): Promise<string> => {
  const known = await readPassword(dataDir);
  if (known !== null) return known;
  const password = randomBytes(24).toString('base64url');
  const draft = join(dataDir, 'password.new');
  await writeFile(draft, password, { mode: 0o600 });
  await rename(draft, join(dataDir, 'password'));
  return password;
};

/**
 * Makes the cluster if there is none: beside its place, then moved there, so a crash leaves none or a whole one.
 * UTF-8 with the built-in C.UTF-8 locale: texts compare by code point on every operating system.
 *
 * @throws when another major version of Postgres made it
 */
export const ensureCluster = async (runtime: Runtime, dataDir: string, password: string): Promise<void> => {
  const cluster = clusterOf(dataDir);
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (made !== null) {
    await giveTo(runtime.identity, cluster);
    const own = await majorVersion(runtime);
    if (made.trim() === own) return;
    throw new Error(`${cluster} was made by Postgres ${made.trim()}, the embedded server is Postgres ${own}`);
  }
  const draft = join(dataDir, 'cluster.new');
  const secret = join(dataDir, 'initdb-password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(secret, password, { mode: 0o600 });
  for (const path of [draft, secret]) await giveTo(runtime.identity, path);
  try {
    await run(runtime, 'initdb', [
      `--pgdata=${draft}`,
      `--username=${USER}`,
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]);
  } finally {
    await rm(secret, { force: true });
  }
  await rename(draft, cluster);
};

/** Written at every start; an operator's own settings go into `custom.conf` beside it, which is never touched. */
export const writeSettings = async (
  runtime: Runtime,
  cluster: string,
  port: number,
  settings: readonly string[],
): Promise<void> => {
  const text = `# Written by the service at every start: put your own settings into custom.conf.
listen_addresses = '${HOST}'
port = ${port}
unix_socket_directories = ''
max_connections = 60
shared_buffers = 128MB
max_wal_size = 1GB
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_destination = 'stderr'
logging_collector = off
${settings.join('\n')}
include_if_exists = 'custom.conf'
`;
  const file = join(cluster, 'postgresql.conf');
  await writeFile(file, text, { mode: 0o600 });
  await giveTo(runtime.identity, file);
};

const majorVersion = async (runtime: Runtime): Promise<string> => {
  const text = await run(runtime, 'postgres', ['--version']);
  return /\b(\d+)[.a-z]/.exec(text)?.[1] ?? text;
};

/** Runs one program to its end and answers what it printed. */
export const run = (
  runtime: Runtime,
  program: 'initdb' | 'pg_ctl' | 'postgres',
  args: readonly string[],
): Promise<string> =>
  new Promise((resolve, reject) => {
    const command = commandAs(runtime.identity, executable(runtime.native, program), args);
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code ?? signal}: ${output.trim()}`));
    });
  });
