import { parentPort, workerData } from 'node:worker_threads';
import { endBrowser } from '../process-tree.ts';

/**
 * A thread of the process that drives the browser. It ends both when the service is gone, even while the main thread is
 * held by what a page sends: a browser never outlives the service.
 */

const CHECK_EVERY_MS = 200;
const { parent, folder } = workerData as { readonly parent: number; readonly folder: string };
let group: number | null = null;
parentPort!.on('message', (browser: number) => {
  group = browser;
});

setInterval(() => {
  if (process.ppid === parent) return;
  endBrowser(group, folder);
  process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);
