import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createFile } from './durable-file.ts';
import { isAlive } from './postmaster.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes the process from a later one with the same pid; '' if the system does not provide it. */
  readonly born: string;
  readonly token: string;
}

/**
 * Tokens of the locks that this process holds. The pid alone does not identify them: an earlier process may
 * have had it.
 */
const heldTokens = new Set<string>();

/**
 * Takes the lock of a data directory for one service. The lock file survives a crash. The next service takes
 * it over when the owner process has exited, never because of the file's age. The file is created atomically,
 * so an unreadable one comes from a damaged disk: it counts as stale unless a server runs on the directory.
 *
 * @param findServerPid the pid of the server that runs on the directory, or null
 * @returns releases the lock
 * @throws when another service holds it
 */
export const takeServiceLock = async (
  directory: string,
  findServerPid: () => Promise<number | null> = async () => null,
): Promise<() => Promise<void>> => {
  const path = join(directory, 'service.lock');
  const token = randomUUID();
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    born: await processStartOf(process.pid),
    token,
  };
  // Before the file exists, so that any reader in this process knows that the lock is held.
  heldTokens.add(token);
  try {
    await take(directory, path, holder, findServerPid);
  } catch (error) {
    heldTokens.delete(token);
    throw error;
  }
  return () => release(path, token);
};

const take = async (
  directory: string,
  path: string,
  holder: Holder,
  findServerPid: () => Promise<number | null>,
): Promise<void> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await createFile(path, JSON.stringify(holder))) return;
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) continue;
    const other = parse(text);
    if (other === null) await rejectIfServerRuns(path, await findServerPid());
    else await rejectIfOwnerAlive(directory, path, other);
    await removeStale(path, text);
  }
  throw new Error(`the lock ${path} changes its owner all the time; is a service being restarted in a loop?`);
};

const parse = (text: string): Holder | null => {
  try {
    const { pid, host, born, token } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && [host, born, token].every((field) => typeof field === 'string')
      ? ({ pid, host, born, token } as Holder)
      : null;
  } catch {
    return null;
  }
};

const rejectIfServerRuns = async (path: string, server: number | null): Promise<void> => {
  if (server === null) return;
  throw new Error(
    `${path} is damaged, and Postgres, process ${server}, runs on this data directory: stop the service that uses ` +
      `it; if there is none, end that process ("kill -INT ${server}"), and start again`,
  );
};

const rejectIfOwnerAlive = async (directory: string, path: string, holder: Holder): Promise<void> => {
  if (holder.host !== hostname()) {
    const remedy = `if that host or container is gone, delete ${path}`;
    throw new Error(`${directory} is in use by process ${holder.pid} on ${holder.host}; ${remedy}`);
  }
  const isOurs = holder.pid === process.pid;
  const living = isOurs
    ? heldTokens.has(holder.token)
    : isAlive(holder.pid) && (await processStartOf(holder.pid)) === holder.born;
  if (living) {
    const remedy = 'stop it, or set KNOWLEDGER_DATA_DIR to a folder of its own';
    throw new Error(`${directory} is in use by another service, process ${holder.pid}: ${remedy}`);
  }
};

/**
 * Moves the stale file aside and deletes it. If another process has replaced the file meanwhile, puts the new
 * file back.
 */
const removeStale = async (path: string, staleText: string): Promise<void> => {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== staleText) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
};

const release = async (path: string, token: string): Promise<void> => {
  heldTokens.delete(token);
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes(token)) await rm(path, { force: true });
};

/**
 * On Linux: the boot id and the process's start time in clock ticks since boot, field 22 of proc_pid_stat(5).
 */
const processStartOf = async (pid: number): Promise<string> => {
  const [boot, text] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  // The second field, the program's name, may contain blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? '' : `${boot.trim()}/${fields[19]}`;
};
