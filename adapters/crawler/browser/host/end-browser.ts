import { existsSync, rmSync } from 'node:fs';

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
