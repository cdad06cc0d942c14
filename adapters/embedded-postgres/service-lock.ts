import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createFile } from './durable-file.ts';
import { isAlive } from './postmaster.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with the same pid; '' where the system does not say. */
  readonly born: string;
  readonly token: string;
}

/** Locks of this very process: a recycled pid cannot tell them from those of a predecessor. */
const held = new Set<string>();

/**
 * Takes the lock of a data directory for one service. It outlives a crash as a file; the next service takes it over
 * when the process that made it is gone, and never because of its age. A lock that cannot be read is what a damaged
 * disk left, for it appears whole: it counts as a dead one's, unless a server runs. Answers how to release it.
 *
 * @param serverOf the server that runs on the directory, if one does
 * @throws when another service holds it
 */
export const takeServiceLock = async (
  directory: string,
  serverOf: () => Promise<number | null> = async () => null,
): Promise<() => Promise<void>> => {
  const path = join(directory, 'service.lock');
  const token = randomUUID();
  const holder: Holder = { pid: process.pid, host: hostname(), born: await birthOf(process.pid), token };
  // Before the file can be seen: whoever reads it then must know that it is held.
  held.add(token);
  try {
    await take(directory, path, holder, serverOf);
  } catch (error) {
    held.delete(token);
    throw error;
  }
  return () => release(path, token);
};

const take = async (
  directory: string,
  path: string,
  holder: Holder,
  serverOf: () => Promise<number | null>,
): Promise<void> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await createFile(path, JSON.stringify(holder))) return;
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) continue;
    const other = parse(text);
    if (other === null) await refuseServed(path, await serverOf());
    else await refuseLiving(directory, path, other);
    await removeStale(path, text);
  }
  throw new Error(`the lock ${path} changes hands all the time; is a service being restarted in a loop?`);
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

const refuseServed = async (path: string, server: number | null): Promise<void> => {
  if (server === null) return;
  throw new Error(
    `${path} is damaged, and Postgres, process ${server}, runs on this data directory: stop the service that uses ` +
      `it; if there is none, end that process ("kill -INT ${server}"), and start again`,
  );
};

const refuseLiving = async (directory: string, path: string, holder: Holder): Promise<void> => {
  if (holder.host !== hostname()) {
    const remedy = `if that host or container is gone, delete ${path}`;
    throw new Error(`${directory} is in use by process ${holder.pid} on ${holder.host}; ${remedy}`);
  }
  const own = holder.pid === process.pid;
  const living = own
    ? held.has(holder.token)
    : isAlive(holder.pid) && (await birthOf(holder.pid)) === holder.born;
  if (living) {
    const remedy = 'stop it, or set KNOWLEDGER_DATA_DIR to a folder of its own';
    throw new Error(`${directory} is in use by another service, process ${holder.pid}: ${remedy}`);
  }
};

/** Moves the judged file away before it is deleted; if a faster process has replaced it meanwhile, puts that back. */
const removeStale = async (path: string, judged: string): Promise<void> => {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== judged) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
};

const release = async (path: string, token: string): Promise<void> => {
  held.delete(token);
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes(token)) await rm(path, { force: true });
};

/** Linux: boot id and the process's start time in clock ticks since boot, field 22 of proc_pid_stat(5). */
const birthOf = async (pid: number): Promise<string> => {
  const [boot, text] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  // The second field, the program's name, may hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? '' : `${boot.trim()}/${fields[19]}`;
};
