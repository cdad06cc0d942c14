import module from 'node:module';
import { workerData } from 'node:worker_threads';
import type { SearchThreadData } from './search-threads.ts';

// Each thread has to be told where compiled sources are kept, and starts twice as fast then.
const { compiled } = workerData as SearchThreadData;
if (compiled !== null) module.enableCompileCache(compiled);
await import('./search-thread-main.ts');
