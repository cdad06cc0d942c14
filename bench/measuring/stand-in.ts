import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const STAND_IN = new URL('../../tests/support/eventstoredb/serve.ts', import.meta.url).pathname;

/** What stands in for EventStoreDB, in a process of its own, empty; answers its connection string. */
export const startStandInProcess = async (cleanup: AsyncDisposableStack): Promise<string> => {
  const child = spawn(process.execPath, [STAND_IN, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  cleanup.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [connectionString] = (await once(createInterface(child.stdout), 'line')) as [string];
  return connectionString;
};
