// Loaded into the program with --import: measures the delay of its event loop. On SIGUSR2 it writes what came since
// the last time to the file that BENCH_EVENT_LOOP_FILE names, in milliseconds.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_EVENT_LOOP_FILE;
if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  process.on('SIGUSR2', () => {
    const told = {
      p50: delays.percentile(50) / 1e6,
      p99: delays.percentile(99) / 1e6,
      max: delays.max / 1e6,
      samples: delays.count,
    };
    writeFileSync(`${file}.new`, JSON.stringify(told));
    renameSync(`${file}.new`, file);
    delays.reset();
  });
}
