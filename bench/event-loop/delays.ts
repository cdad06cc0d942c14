import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../tests/support/service.ts';

const RECORDER = fileURLToPath(new URL('record-delay.mjs', import.meta.url));

/** Milliseconds; all of them hold the resolution of the measurement, 5 ms. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly samples: number;
}

/** Has a program that is started with `env` record how late its timers are. */
export const recordDelays = async (
  cleanup: AsyncDisposableStack,
  env: { readonly [name: string]: string },
) => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-bench-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'delays.json');
  return {
    env: {
      ...env,
      NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${RECORDER}`,
      BENCH_EVENT_LOOP_FILE: file,
    },
    /** What was recorded since the last call. */
    since: async (service: Service): Promise<Delays> => {
      await rm(file, { force: true });
      service.child.kill('SIGUSR2');
      for (let tries = 0; tries < 1_000; tries++) {
        await sleep(10);
        const text = await readFile(file, 'utf8').catch(() => null);
        if (text !== null) return JSON.parse(text) as Delays;
      }
      throw new Error('the program did not tell the delays of its event loop');
    },
  };
};
