import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Run } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { median, sideBySide } from '../measuring/side-by-side.ts';
import { crawlSite, FETCHES, startProgram } from '../site/program.ts';
import { openSite, type Site } from '../site/site.ts';

const TARGET = 0.9;
/** The program listens before its readers, processes of their own, have come up. */
const READERS_START_MS = 5_000;

/** What a crawling process tells when it has come to the end of the site. */
interface Crawled {
  readonly pages: number;
  readonly ms: number;
}

/**
 * From POST /crawls until the last page is searchable, beside a crawler that fetches and parses the pages and keeps
 * nothing of them. The start of processes is not counted, on neither side.
 */
export const crawlBench: Bench = {
  name: 'crawl',
  needs: ['@crawlee/cheerio'],
  measure: async function* measure(run) {
    const site = await openSite(run.cleanup, run.quick);
    const counted = { ours: 0, rival: 0, limit: 0 };
    const limits: number[] = [];
    const crawled = async (file: string, name: 'rival' | 'limit'): Promise<number> => {
      const { pages, ms } = await crawlBeside(file, site, run);
      counted[name] = pages;
      return (1000 * pages) / ms;
    };
    const ours = async (): Promise<number> => {
      const { pages, ms } = await crawlWithProgram(site, run);
      counted.ours = pages;
      return (1000 * pages) / ms;
    };
    const rival = async (): Promise<number> => {
      const rate = await crawled('crawl/crawlee.mjs', 'rival');
      limits.push(await crawled('crawl/bare-loop.mjs', 'limit'));
      return rate;
    };
    const measured = await sideBySide(run.quick ? 1 : 3, ours, rival);
    yield {
      bench: 'crawl',
      ...measured,
      measured: 'over HTTP',
      unit: 'pages/s',
      target: `>= ${TARGET}`,
      met: measured.ratio >= TARGET,
      site: site.name,
      pages: counted,
      rival_is: 'CheerioCrawler of Crawlee 3.18.1, in memory',
      limit: Math.round(median(limits)),
      limit_is: 'a loop of undici and htmlparser2',
      fetches: FETCHES,
      data_directory: 'fresh each round',
    };
  },
};

const crawlWithProgram = async (site: Site, { cleanup, profiling }: Run): Promise<Crawled> => {
  const service = await startProgram(site, cleanup, profiling.env);
  try {
    await sleep(READERS_START_MS);
    const { pages, ms } = await profiling.profiledIn(service, async () => {
      const begun = performance.now();
      const stored = await crawlSite(service, site);
      return { pages: stored, ms: performance.now() - begun };
    });
    const { body } = await service.api('GET', '/sources?limit=1');
    if (body.pagination.total !== pages) {
      throw new Error(`${pages} pages were stored, but the list counts ${JSON.stringify(body.pagination)}`);
    }
    return { pages, ms };
  } finally {
    // Its files go at the end of the bench: ext4 takes long to find room where files were just deleted.
    await service.end('SIGTERM');
  }
};

const crawlBeside = async (file: string, { startUrl }: Site, { cleanup }: Run): Promise<Crawled> => {
  const child = startChild(file, [startUrl, String(FETCHES)]);
  cleanup.defer(child.stop);
  try {
    return (await child.ask()) as Crawled;
  } finally {
    await child.stop();
  }
};
