import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';

/** From procfs (proc(5)), which answers from memory. Where there is none, nothing is known of other processes. */

interface Stat {
  readonly parent: number;
  readonly group: number;
}

/** Behind a name that may hold anything: state, parent, group. */
const statOf = (pid: number | string): Stat | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, parent, group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), group: Number(group) };
  } catch {
    return null; // no procfs, or the process is just ending
  }
};

/** The group of a process; its own id where that is not told, as of one that leads its group. */
export const groupOf = (pid: number): number => statOf(pid)?.group ?? pid;

/** All processes that this one has started, and those have started. */
export const processesBelow = (pid: number): readonly number[] => {
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

/** Resident memory of a process that it does not share as a part of its program, in bytes; 0 where nobody tells. */
export const ownMemory = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    return 1_024 * (kilobytes('RssAnon') + kilobytes('RssShmem'));
  } catch {
    return 0;
  }
};

/** Whether a process of a browser runs the scripts of pages. */
export const runsPages = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
  } catch {
    return false;
  }
};

const TRIES = 40;
const PAUSE_MS = 50;

/** Ends the browser with all its processes and deletes its folder. Waits for both: this process is about to end. */
export const endBrowser = (group: number | null, folder: string): void => {
  try {
    if (group !== null) process.kill(-group, 'SIGKILL');
  } catch {
    // it has ended
  }
  // While its last processes end they still write, and another thread may be deleting the same.
  for (let tried = 0; tried < TRIES && existsSync(folder); tried += 1) {
    if (tried > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // the next try may
    }
  }
};
