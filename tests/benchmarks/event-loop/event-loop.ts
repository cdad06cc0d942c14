import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../support/service.ts';
import type { Bench } from '../bench.ts';
import { median } from '../measuring/median.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite } from '../site/site.ts';
import { type Answered, whileAnswering } from './modest-load.ts';

const TARGET_MS = 50;
const IDLE_MS = 5_000;
const RECORDER = fileURLToPath(new URL('record-delay.mjs', import.meta.url));

/** Milliseconds; all of them hold the resolution of the measurement, 5 ms. */
interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly samples: number;
}

/** How late the program's timers are while it crawls and answers at the same time, beside the idle program. */
export const eventLoopBench: Bench = {
  name: 'event-loop',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const site = await openSite(cleanup, quick);
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-bench-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'delays.json');
    const options = `${profiling.env['NODE_OPTIONS'] ?? ''} --import=${RECORDER}`;
    const service = await startProgram(site, cleanup, {
      ...profiling.env,
      NODE_OPTIONS: options,
      BENCH_EVENT_LOOP_FILE: file,
    });
    // The first crawl does not count: it compiles the code, and leaves something to read and to search.
    await crawlSite(service, site);
    const runs: { readonly idle: Delays; readonly busy: Delays; readonly answered: Answered }[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      await delaysSince(service, file);
      await sleep(quick ? 500 : IDLE_MS);
      const idle = await delaysSince(service, file);
      const answered = await profiling.profiledIn(service, () =>
        whileAnswering(service, site.word, () => crawlSite(service, site)),
      );
      runs.push({ idle, busy: await delaysSince(service, file), answered });
    }
    const ours = median(runs.map(({ busy }) => busy.p99));
    const rival = median(runs.map(({ idle }) => idle.p99));
    yield {
      bench: 'event-loop',
      ratio: ours / rival,
      ours,
      rival,
      unit: 'ms, p99 of the event loop delay',
      target: `< ${TARGET_MS} ms`,
      met: ours < TARGET_MS,
      rival_is: 'the same process, idle',
      site: site.name,
      runs,
    };
  },
};

/** What was recorded since the last call. */
const delaysSince = async (service: Service, file: string): Promise<Delays> => {
  await rm(file, { force: true });
  service.child.kill('SIGUSR2');
  for (let tries = 0; tries < 1_000; tries++) {
    await sleep(10);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as Delays;
  }
  throw new Error('the program did not tell the delays of its event loop');
};
