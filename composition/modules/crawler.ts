import { join } from 'node:path';
import { Agent } from 'undici';
import { createAddressPolicy } from '../../adapters/crawler/address-policy.ts';
import { createBrowser } from '../../adapters/crawler/browser/page-renderer.ts';
import { createRenderingFetcher } from '../../adapters/crawler/browser/rendering-fetcher.ts';
import { createCookieJars } from '../../adapters/crawler/cookies.ts';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createPageFetcher } from '../../adapters/crawler/page-fetcher.ts';
import { createPolitenessGate, systemTimer } from '../../adapters/crawler/politeness.ts';
import { productToken } from '../../adapters/crawler/robots-rules.ts';
import { createRobotsPolicy } from '../../adapters/crawler/robots.ts';
import { createSitemapReader } from '../../adapters/crawler/sitemap.ts';
import { createDocumentReader } from '../../adapters/extraction/document-reader.ts';
import {
  createExtractSound,
  createTranscribingReader,
} from '../../adapters/models/transcription/transcribing-reader.ts';
import { createTranscriber } from '../../adapters/models/transcription/transcriber.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedPageFetcher } from '../../adapters/telemetry/traced-providers.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';
import type { TranscriptionConfig } from '../config/models.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CORE } from './core.ts';

const CONNECT_MS = 5_000;
const READER = new URL('../document-reader.ts', import.meta.url).href;

/** Limits of one browser page: network idle time until it is ready, number of requests, and bytes. */
const [QUIET_MS, REQUESTS, BYTES] = [500, 300, 50 * 1_024 ** 2];

const NEEDS = { core: CORE };

/** Services that fetch and read documents: the crawler with its guard, the browser, and reader processes. */
const openCrawler = ({ core: { config, log } }: Given<typeof NEEDS>) => {
  const { allowAddresses, crawl, extraction, transcription } = config;
  const { maxBytes, timeoutMs, userAgent } = crawl;
  const agent = createGuardedAgent({ allowAddresses, connections: crawl.concurrency });
  const gate = createPolitenessGate({
    maxConcurrency: crawl.concurrency,
    minDelayMs: crawl.delayMs,
    maxDelayMs: 60_000,
    timer: systemTimer,
  });
  const { refusesLiteral: refusesTarget } = createAddressPolicy(allowAddresses);
  const jarOf = createCookieJars();
  const asking = { jarOf, dispatcher: agent, refusesTarget, gate, userAgent, maxBytes, timeoutMs };
  const fetcher = createPageFetcher(asking);
  const unrendered = tracedPageFetcher(fetcher);
  const { memoryBytes, ...found } = config.browser;
  // Loads and starts nothing before the first page that needs scripts.
  const browser = createBrowser({
    ...found,
    allowAddresses,
    userAgent,
    limits: {
      timeoutMs,
      readyMs: timeoutMs / 2,
      quietMs: QUIET_MS,
      requests: REQUESTS,
      bytes: Math.max(BYTES, maxBytes),
      htmlBytes: maxBytes,
      memoryBytes,
    },
    unpackedIn: join(config.dataDir, 'browser'),
    onUnstartable: (reason) => log.warn('the browser does not start', { reason }),
  });
  const { processes, ...limits } = extraction;
  const plain = createDocumentReader({
    processes,
    limits,
    module: READER,
    onProgress: ({ file, queueKey, pagesRead, pages }) =>
      log.info('a long document is being read', { file, queue: queueKey, pages_read: pagesRead, pages }),
  });
  const reader = transcription === undefined ? plain : withTranscription(plain, transcription);
  return {
    pages: tracedPageFetcher(createRenderingFetcher(fetcher, browser.render, jarOf)),
    /** One policy per crawl or scraped page. `patienceMs`: see `PageRequest`. */
    robots: (patienceMs?: number) =>
      createRobotsPolicy({
        pages: unrendered,
        gate,
        timer: systemTimer,
        userAgent,
        ...(patienceMs !== undefined && { patienceMs }),
      }),
    robotName: productToken(userAgent),
    sitemaps: createSitemapReader(unrendered),
    browser,
    reader,
    close: async () => {
      await Promise.all([agent.destroy(), browser.close(), reader.close()]);
    },
  };
};

/** Its connections close with it. */
const withTranscription = (
  reader: DocumentReader,
  { ffmpeg, ...config }: TranscriptionConfig,
): DocumentReader => {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: 4,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const extractSound = ffmpeg === undefined ? null : createExtractSound(ffmpeg);
  const transcriber = createTranscriber({ dispatcher, sleep, extractSound, ...config });
  const transcribing = createTranscribingReader(reader, transcriber);
  return {
    ...transcribing,
    close: async () => {
      await Promise.all([transcribing.close(), dispatcher.destroy()]);
    },
  };
};

export const CRAWLER = token<ReturnType<typeof openCrawler>>('crawler');
export const crawlerModule = provide(CRAWLER, NEEDS, openCrawler);
