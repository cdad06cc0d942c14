import module from 'node:module';
import { workerData } from 'node:worker_threads';
import type { SearchThreadData } from './search-threads.ts';

// Each thread must be given the compile cache folder; it then starts twice as fast.
const { compiled } = workerData as SearchThreadData;
if (compiled !== null) module.enableCompileCache(compiled);
await import('./search-thread-main.ts');
