import { parentPort, workerData } from 'node:worker_threads';
import { endBrowser } from '../process-tree.ts';

/**
 * A thread of the process that drives the browser. It kills the browser and its own process when the service has
 * exited, even while messages of a page block the main thread: a browser never outlives the service.
 */

const CHECK_EVERY_MS = 200;
const { parent, folder } = workerData as { readonly parent: number; readonly folder: string };
let processGroup: number | null = null;
parentPort!.on('message', (browser: number) => {
  processGroup = browser;
});

setInterval(() => {
  if (process.ppid === parent) return;
  endBrowser(processGroup, folder);
  process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);
