import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { median } from '../measuring/side-by-side.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite } from '../site/site.ts';
import { type Delays, recordDelays } from './delays.ts';
import { type Answered, whileAnswering } from './modest-load.ts';

const TARGET_MS = 50;
const IDLE_MS = 5_000;

/** How late the program's timers are while it crawls and answers at the same time, beside the idle program. */
export const eventLoopBench: Bench = {
  name: 'event-loop',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const site = await openSite(cleanup, quick);
    const delays = await recordDelays(cleanup, profiling.env);
    const service = await startProgram(site, cleanup, delays.env);
    // The first crawl does not count: it compiles the code, and leaves something to read and to search.
    await crawlSite(service, site);
    const runs: { readonly idle: Delays; readonly busy: Delays; readonly answered: Answered }[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      await delays.since(service);
      await sleep(quick ? 500 : IDLE_MS);
      const idle = await delays.since(service);
      const answered = await profiling.profiledIn(service, () =>
        whileAnswering(service, site.word, () => crawlSite(service, site)),
      );
      runs.push({ idle, busy: await delays.since(service), answered });
    }
    const ours = median(runs.map(({ busy }) => busy.p99));
    const rival = median(runs.map(({ idle }) => idle.p99));
    yield {
      bench: 'event-loop',
      ratio: ours / rival,
      ours,
      rival,
      measured: 'over HTTP',
      unit: 'ms, p99 of the event loop delay',
      target: `< ${TARGET_MS} ms`,
      met: ours < TARGET_MS,
      rival_is: 'the same process, idle',
      site: site.name,
      runs,
    };
  },
};
