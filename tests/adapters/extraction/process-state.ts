import { readFileSync } from 'node:fs';

/** State letter of a process (proc(5)); null when it is gone, also where nobody has collected it yet. */
export const processState = (pid: number): string | null => {
  try {
    const state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? null;
    return state === 'Z' || state === 'X' ? null : state;
  } catch {
    return isKnown(pid) ? '?' : null;
  }
};

/** Where there is no procfs. */
const isKnown = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
