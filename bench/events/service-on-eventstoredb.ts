import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../tests/support/service.ts';
import type { Bench, Run } from '../bench.ts';
import { rateOf, sideBySide } from '../measuring/side-by-side.ts';
import { startStandInProcess } from '../measuring/stand-in.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite, type Site } from '../site/site.ts';

const CRAWL_TARGET = 0.9;
const WRITERS_TARGET = 1;
const WRITERS = 8;
/** The program listens before its readers, processes of their own, have come up. */
const READERS_START_MS = 5_000;

/**
 * The program with its events in what stands in for EventStoreDB, a process of its own on the same processors, beside the
 * program as it starts without settings, with its events in the Postgres that keeps the views.
 */
export const serviceOnEventstoredbBench: Bench = {
  name: 'service-on-eventstoredb',
  needs: [],
  measure: async function* measure(run) {
    const { quick, cleanup } = run;
    const site = await openSite(cleanup, quick);
    const rival = 'the same with events in the same Postgres';

    const crawls = await sideBySide(
      quick ? 1 : 3,
      () => pagesPerSecond(site, run, startOnStandIn),
      () => pagesPerSecond(site, run, startProgram),
    );
    yield {
      bench: 'service on eventstoredb, crawl',
      ...crawls,
      measured: 'over HTTP',
      unit: 'pages/s',
      target: `>= ${CRAWL_TARGET}`,
      met: crawls.ratio >= CRAWL_TARGET,
      site: site.name,
      rival_is: rival,
    };

    const [onStandIn, onPostgres] = [await startOnStandIn(site, cleanup), await startProgram(site, cleanup)];
    const ms = quick ? 200 : 2_000;
    await sideBySide(
      1,
      () => writesPerSecond(onStandIn, ms),
      () => writesPerSecond(onPostgres, ms),
    );
    const writes = await sideBySide(
      quick ? 1 : 9,
      () => writesPerSecond(onStandIn, ms),
      () => writesPerSecond(onPostgres, ms),
    );
    yield {
      bench: 'service on eventstoredb, writers on one stream',
      ...writes,
      measured: 'over HTTP',
      unit: 'POST /tags/s',
      target: `>= ${WRITERS_TARGET}`,
      met: writes.ratio >= WRITERS_TARGET,
      concurrency: WRITERS,
      rival_is: rival,
    };
  },
};

const startOnStandIn = async (site: Site, cleanup: AsyncDisposableStack): Promise<Service> =>
  startProgram(site, cleanup, { EVENTSTORE_URL: await startStandInProcess(cleanup) });

const pagesPerSecond = async (
  site: Site,
  { cleanup, profiling }: Run,
  start: (site: Site, cleanup: AsyncDisposableStack) => Promise<Service>,
): Promise<number> => {
  const service = await start(site, cleanup);
  try {
    await sleep(READERS_START_MS);
    return await profiling.profiledIn(service, async () => {
      const begun = performance.now();
      const pages = await crawlSite(service, site);
      return (1000 * pages) / (performance.now() - begun);
    });
  } finally {
    await service.end('SIGTERM');
  }
};

const writesPerSecond = (service: Service, ms: number): Promise<number> =>
  rateOf(WRITERS, ms, async () => {
    const { status, body } = await service.api('POST', '/tags', { name: crypto.randomUUID() });
    if (status !== 201) throw new Error(`POST /tags answered ${status}: ${JSON.stringify(body)}`);
  });
