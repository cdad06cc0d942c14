// Loaded into the program with --import: SIGWINCH, which does no harm where nobody listens, starts the CPU profiler,
// and the next one writes what it saw into the folder that BENCH_PROFILES names.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.BENCH_PROFILES;
if (isMainThread && folder !== undefined) {
  const session = new Session();
  let count = 0;
  let running = false;
  session.connect();

  const toggle = async () => {
    running = !running;
    if (running) {
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      return;
    }
    const { profile } = await session.post('Profiler.stop');
    const file = join(folder, `${process.pid}-${(count += 1)}`);
    writeFileSync(file, JSON.stringify(profile));
    renameSync(file, `${file}.cpuprofile`);
  };
  process.on('SIGWINCH', () => void toggle());
}
