import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterOf, clusterExists } from './cluster.ts';
import { ITERATIONS } from './scram.ts';
import { replaceFile } from './durable-file.ts';
import { ADMINISTRATOR } from './postmaster.ts';
import { run } from './program.ts';
import type { Runtime } from './program.ts';
import { shutDown } from './shutdown.ts';

export const passwordFileOf = (dataDir: string): string => join(dataDir, 'password');

/** The administrator's. Null before the first start, and when the file was lost or emptied. */
export const readPassword = async (dataDir: string): Promise<string | null> => {
  const text = await readFile(passwordFileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() === '' ? null : text.trim();
};

/**
 * The administrator's password, made at the first call. Where the file is lost and the cluster is not, the cluster is
 * given a new one: who owns the files owns the database. A server that runs is stopped for that.
 */
export const ensurePassword = async (
  runtime: Runtime,
  dataDir: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> => {
  const known = await readPassword(dataDir);
  if (known !== null) return known;
  const password = randomBytes(24).toString('base64url');
  if (await clusterExists(dataDir)) {
    log(`${passwordFileOf(dataDir)} is empty or missing: giving the embedded Postgres a new password`);
    await shutDown(runtime, clusterOf(dataDir));
    await setPassword(runtime, clusterOf(dataDir), password, signal);
  }
  await replaceFile(passwordFileOf(dataDir), password);
  return password;
};

/** The service's own: from the administrator's, which cannot be told from it. */
export const servicePassword = (password: string): string =>
  derive(password, 'service').toString('base64url');

/**
 * What Postgres keeps of a password (`pg_authid.rolpassword`), so that no statement and no log ever has the password.
 * The same for the same password: its salt is from the password too, which is random and no person's.
 */
export const verifierOf = (password: string): string => {
  const salt = derive(password, 'salt').subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(derive(salted, 'Client Key')).digest('base64');
  const server = derive(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
};

const derive = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** In single-user mode, which asks for no password and takes no connections. It tells errors and ends well. */
const setPassword = async (
  runtime: Runtime,
  cluster: string,
  password: string,
  signal?: AbortSignal,
): Promise<void> => {
  const input = `ALTER ROLE ${ADMINISTRATOR} PASSWORD '${verifierOf(password)}';\n`;
  const output = await run(runtime, 'postgres', ['--single', '-D', cluster, 'postgres'], { input, signal });
  if (/ERROR|FATAL|PANIC/.test(output)) throw new Error(`Postgres takes no new password: ${output.trim()}`);
};
