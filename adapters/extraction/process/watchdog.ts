import { workerData } from 'node:worker_threads';

/**
 * A thread of each reader process that runs while a parser blocks the main thread. It ends the process when the parent
 * has exited without a visible disconnect, and when memory grows while the parent is too busy to check.
 */

const CHECK_EVERY_MS = 100;
const { parent, memoryBytes } = workerData as { readonly parent: number; readonly memoryBytes: number };

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryBytes)
    process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);
