import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';

/**
 * Process information from procfs (proc(5)), which is cheap to read. On systems without procfs, other processes are
 * unknown.
 */

interface Stat {
  readonly parent: number;
  readonly group: number;
}

/** Parses parent and group. They follow the program name, which may contain any character, and the state. */
const statOf = (pid: number | string): Stat | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, parent, group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), group: Number(group) };
  } catch {
    return null; // no procfs, or the process is just exiting
  }
};

/** The process group of a process; its pid when the group cannot be read, as if it were a group leader. */
export const groupOf = (pid: number): number => statOf(pid)?.group ?? pid;

/** All descendants of a process. */
export const descendantsOf = (pid: number): readonly number[] => {
  const children = new Map<number, number[]>();
  for (const name of namesIn('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat === null) continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const own = children.get(next) ?? [];
    found.push(...own);
    waiting.push(...own);
  }
  return found;
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Resident memory of a process in bytes, without pages mapped from files; 0 when it cannot be read. */
export const nonFileMemory = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    return 1_024 * (kilobytes('RssAnon') + kilobytes('RssShmem'));
  } catch {
    return 0;
  }
};

/** Whether a browser process runs the scripts of pages. */
export const isRendererProcess = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
  } catch {
    return false;
  }
};

const MAX_ATTEMPTS = 40;
const PAUSE_MS = 50;

/**
 * Kills the browser with all its processes and deletes its folder. Blocks until both are done: the caller is about to
 * exit.
 */
export const endBrowser = (group: number | null, folder: string): void => {
  try {
    if (group !== null) process.kill(-group, 'SIGKILL');
  } catch {
    // it has exited
  }
  // The last browser processes may still write while they end, and another thread may be deleting the same folder.
  for (let attempt = 0; attempt < MAX_ATTEMPTS && existsSync(folder); attempt += 1) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // retried
    }
  }
};
