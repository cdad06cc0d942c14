import { describe, expect, it } from 'vitest';
import {
  createScrape,
  type ScrapeRequest,
  markdownOf,
} from '../../../../application/sources/scrape/scrape.ts';
import type { FetchOutcome, PageFetcher, RobotsVerdict } from '../../../../application/ports/page-fetcher.ts';
import type { FetchFailureCode } from '../../../../domain/crawl/fetch-failure.ts';
import { scratchFiles } from '../../../../adapters/storage/disk/scratch-files.ts';
import { plainReader } from '../../../support/plain-reader.ts';

const REQUEST: ScrapeRequest = { url: 'https://a.example/', formats: ['markdown'], useBrowser: false };
const NEVER = new AbortController().signal;

const setUp = (
  fetchPage: PageFetcher['fetchPage'],
  verdict: RobotsVerdict = { allowed: true },
  limit = NEVER,
) =>
  createScrape({
    pages: { fetchPage },
    robots: () => ({ check: async () => verdict, sitemaps: async () => [] }),
    browser: { missing: () => 'install one' },
    extractor: plainReader,
    scratch: scratchFiles,
    redaction: { at: async () => ({ rules: [], compiled: null as never }), forget: () => {} },
    robotName: 'bot',
    limit: () => limit,
  });
const failing = (code: FetchFailureCode) => async (): Promise<FetchOutcome> => ({
  kind: 'failed',
  finalUrl: REQUEST.url,
  code,
  message: 'so it is',
  status: null,
  transient: false,
  retryAfterMs: null,
});

describe('a scrape', () => {
  it.each([
    ['address_not_allowed', { name: 'DomainError', code: 'url_not_allowed' }],
    ['redirect_not_allowed', { name: 'DomainError', code: 'url_not_allowed' }],
    ['timed_out', { name: 'PageNotHad', late: true }],
    ['too_slow', { name: 'PageNotHad', late: true }],
    ['too_large', { name: 'PageNotHad', late: false }],
    ['http_status', { name: 'PageNotHad', late: false }],
  ] as const)('of a page that failed by %s says so', async (code, error) => {
    const scrape = setUp(failing(code));
    await expect(scrape({ tenant: 'acme' }, REQUEST, NEVER)).rejects.toMatchObject({
      ...error,
      message: 'the page cannot be fetched: so it is',
    });
  });

  it('that wants a browser where there is none says how to get one', async () => {
    const scraping = setUp(failing('http_status'))(
      { tenant: 'acme' },
      { ...REQUEST, useBrowser: true },
      NEVER,
    );
    await expect(scraping).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('install one'),
    });
  });

  it('asks for no page of a site whose robots.txt cannot be read', async () => {
    const fetchPage = async (): Promise<never> => {
      throw new Error('it was asked for');
    };
    const why = { reason: 'unreachable', code: 'connect_failed', message: 'robots.txt is away' } as const;
    const scrape = setUp(fetchPage, { allowed: false, ...why });
    await expect(scrape({ tenant: 'acme' }, REQUEST, NEVER)).rejects.toMatchObject({
      name: 'PageNotHad',
      message: 'robots.txt is away',
    });
  });

  const untilAborted: PageFetcher['fetchPage'] = (_, signal) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('is given up when its time is over', async () => {
    const scrape = setUp(untilAborted, undefined, AbortSignal.abort(new Error('timeout')));
    await expect(scrape({ tenant: 'acme' }, REQUEST, NEVER)).rejects.toMatchObject({
      name: 'PageNotHad',
      late: true,
      message: 'the page took too long',
    });
  });

  it('is given up when nobody waits for it', async () => {
    const gone = new AbortController();
    const scraping = setUp(untilAborted)({ tenant: 'acme' }, REQUEST, gone.signal);
    gone.abort(new Error('gone'));
    await expect(scraping).rejects.toThrow('gone');
  });
});

describe('the Markdown of a page', () => {
  const item = (text: string, ...headingPath: readonly string[]) => ({ text, headingPath, pageNumber: 0 });

  it('marks each heading by its depth, once', () => {
    const items = [
      item('before all'),
      item('One\n\nfirst', 'One'),
      item('it goes on', 'One'),
      item('Two', 'One', 'Two'),
      item('Deep\n\ntext', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'Deep'),
    ];
    expect(markdownOf(items)).toBe(
      'before all\n\n# One\n\nfirst\n\nit goes on\n\n## Two\n\n###### Deep\n\ntext',
    );
  });
});
