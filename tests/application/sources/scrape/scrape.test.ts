import { scratchFiles } from '../../../../adapters/storage/disk/scratch-files.ts';
import type { ExtractionRequest } from '../../../../application/ports/document-reader.ts';
import type {
  FetchOutcome,
  FetchedPage,
  PageFetcher,
  PageRequest,
  RobotsVerdict,
} from '../../../../application/ports/page-fetcher.ts';
import { refusalFor } from '../../../../application/sources/scrape/page-unavailable.ts';
import {
  SCRAPE_FORMATS,
  type ScrapeRequest,
  createScrape,
  markdownOf,
} from '../../../../application/sources/scrape/scrape.ts';
import type { FetchFailureCode } from '../../../../domain/crawl/fetch-failure.ts';
import type { RedactionRule } from '../../../../domain/redaction/index.ts';
import { plainReader } from '../../../support/plain-reader.ts';
import { describe, expect, it } from 'vitest';

const NEVER = new AbortController().signal;

describe('a scrape', () => {
  const REQUEST: ScrapeRequest = { url: 'https://a.example/', formats: ['markdown'], useBrowser: false };

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
      redaction: { at: async () => ({ rules: [], compiled: null as never }), clearCache: () => {} },
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

  const untilAborted: PageFetcher['fetchPage'] = (_, signal) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('is given up when its time is over', async () => {
    const scrape = setUp(untilAborted, undefined, AbortSignal.abort(new Error('timeout')));
    await expect(scrape({ tenant: 'acme' }, REQUEST, NEVER)).rejects.toMatchObject({
      name: 'PageUnavailable',
      late: true,
      message: 'the page took too long',
    });
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

const URL = 'https://a.example/';

const HTML = `<!doctype html><html lang="de"><head><title>Vögel</title>
<meta name="description" content="Alles über Vögel"><link rel="canonical" href="/voegel"></head>
<body><h1>Vögel</h1><p>Falken jagen Vögel, sagt jo@example.org am frühen Morgen.</p><a href="/falken">Falken</a></body></html>`;

const pageOf = (html: string, more: Partial<FetchedPage> = {}): FetchedPage => {
  const body = new TextEncoder().encode(html);
  return {
    kind: 'page',
    finalUrl: 'https://a.example/end',
    status: 203,
    mediaType: 'text/html',
    charset: 'utf-8',
    body,
    bytes: body.byteLength,
    etag: null,
    lastModified: null,
    robots: { noindex: false, nofollow: false },
    ...more,
  };
};

describe('scraped pages', () => {
  const REQUEST: ScrapeRequest = { url: URL, formats: SCRAPE_FORMATS, useBrowser: false };

  const setUp = (
    answer: FetchOutcome | ((request: PageRequest) => Promise<FetchOutcome>),
    {
      verdicts = {},
      rules = {},
      reader = plainReader,
    }: {
      readonly verdicts?: Readonly<Record<string, RobotsVerdict>>;
      readonly rules?: Readonly<Record<string, readonly RedactionRule[]>>;
      readonly reader?: typeof plainReader;
    } = {},
  ) => {
    const asked: PageRequest[] = [];
    const checked: string[] = [];
    const read: ExtractionRequest[] = [];
    const scrape = createScrape({
      pages: {
        fetchPage: async (request) => {
          asked.push(request);
          return typeof answer === 'function' ? answer(request) : answer;
        },
      },
      robots: () => ({
        check: async (url) => {
          checked.push(url);
          return verdicts[url] ?? { allowed: true };
        },
        sitemaps: async () => [],
      }),
      browser: { missing: () => null },
      extractor: {
        ...reader,
        extract: async (request, signal) => {
          read.push(request);
          return reader.extract(request, signal);
        },
      },
      scratch: scratchFiles,
      redaction: {
        at: async (_tenant, stage) => ({ rules: rules[stage] ?? [], compiled: null as never }),
        clearCache: () => {},
      },
      robotName: 'bot',
      limit: () => NEVER,
    });
    const run = (more: Partial<ScrapeRequest> = {}, signal = NEVER) =>
      scrape({ tenant: 'acme' }, { ...REQUEST, ...more }, signal);
    return { run, asked, checked, read };
  };

  describe('a page that is scraped', () => {
    it('is told in every form that was asked for', async () => {
      const { run, asked, checked, read } = setUp(pageOf(HTML));
      expect(await run({ useBrowser: true })).toEqual({
        url: 'https://a.example/end',
        markdown: expect.stringMatching(/^# Vögel\n\nFalken jagen Vögel, sagt jo@example\.org/) as string,
        html: HTML,
        links: ['https://a.example/falken'],
        metadata: {
          title: 'Vögel',
          description: 'Alles über Vögel',
          language: 'de',
          canonicalUrl: 'https://a.example/voegel',
          noindex: false,
          nofollow: false,
          status: 203,
          mediaType: 'text/html',
          encoding: 'utf-8',
          bytes: new TextEncoder().encode(HTML).byteLength,
        },
      });
      expect(asked).toEqual([
        { url: URL, accept: 'html', useBrowser: true, mayFollow: expect.any(Function) as unknown },
      ]);
      expect(checked).toEqual([URL]);
      const [request] = read;
      expect(request).toMatchObject({
        mediaType: 'text/html',
        url: 'https://a.example/end',
        robotName: 'bot',
        withUnits: true,
        queueKey: 'acme',
        charset: 'utf-8',
        bytes: new TextEncoder().encode(HTML).byteLength,
      });
      expect('redaction' in request!).toBe(false);
    });

    it('says what it does not have, and what its site says of it beside itself', async () => {
      const plain = '<title>T</title><p>text';
      const { run, read } = setUp(pageOf(plain, { charset: null }));
      const { metadata } = await run();
      expect(metadata).toMatchObject({ description: null, language: null, canonicalUrl: null });
      expect('charset' in read[0]!).toBe(false);
      const flagsOf = async (html: string, robots: FetchedPage['robots']) => {
        const found = (await setUp(pageOf(html, { robots })).run()).metadata;
        return [found?.noindex, found?.nofollow];
      };
      expect(await flagsOf(plain, { noindex: true, nofollow: false })).toEqual([true, false]);
      expect(await flagsOf(plain, { noindex: false, nofollow: true })).toEqual([false, true]);
      const own = (rule: string): string => `<meta name="robots" content="${rule}">${plain}`;
      const silent = { noindex: false, nofollow: false };
      expect(await flagsOf(own('noindex'), silent)).toEqual([true, false]);
      expect(await flagsOf(own('nofollow'), silent)).toEqual([false, true]);
    });

    it('is redacted as what is indexed and as what is shown', async () => {
      const rule = (name: string): RedactionRule => ({ name, kind: 'email' });
      const rules = { ingestion: [rule('a')], content: [rule('b')], model: [rule('c')] };
      const { run, read } = setUp(pageOf(HTML), { rules });
      await run({ formats: ['markdown'] });
      expect(read[0]!.redaction).toEqual([...rules.ingestion, ...rules.content]);
    });
  });

  describe('a page that cannot be scraped', () => {
    const refused = async (
      answer: Parameters<typeof setUp>[0],
      more: Parameters<typeof setUp>[1] = {},
    ): Promise<unknown> =>
      setUp(answer, more)
        .run()
        .then(
          () => 'it was scraped',
          (error: unknown) => error,
        );
    const skipped = (reason: 'not_html' | 'no_content', mediaType: string): FetchOutcome => ({
      kind: 'skipped',
      finalUrl: URL,
      reason,
      mediaType,
    });

    it.each([
      [
        skipped('no_content', ''),
        { name: 'PageUnavailable', late: false, message: 'the page has no content (204)' },
      ],
      [
        skipped('not_html', 'image/png'),
        { code: 'unsupported_file_type', message: 'only HTML can be scraped, and this is image/png' },
      ],
      [
        skipped('not_html', ''),
        { code: 'unsupported_file_type', message: 'only HTML can be scraped, and this is something else' },
      ],
      [
        { kind: 'not_modified', finalUrl: URL } as const,
        { name: 'Error', message: 'a page without validators was not modified' },
      ],
    ])('as it was answered %j says so', async (answer, error) => {
      expect(await refused(answer)).toMatchObject(error);
    });

    it('as nothing can read it says why', async () => {
      const reading = (outcome: object) => ({
        reader: { ...plainReader, extract: async () => outcome as never },
      });
      expect(await refused(pageOf(HTML), reading({ kind: 'failed', message: 'it is broken' }))).toMatchObject(
        {
          code: 'unsupported_file_type',
          message: 'the page cannot be read: it is broken',
        },
      );
      expect(await refused(pageOf(HTML), reading({ kind: 'document', fileType: 'pdf' }))).toMatchObject({
        code: 'unsupported_file_type',
        message: 'the page cannot be read: it is pdf',
      });
    });

    it.each([
      ...['url_not_allowed', 'address_not_allowed', 'redirect_not_allowed'].map(
        (code) => [code, 'refused'] as const,
      ),
      ...['timed_out', 'too_slow'].map((code) => [code, 'late'] as const),
      ...[
        'dns_failed',
        'connect_failed',
        'tls_failed',
        'connection_lost',
        'bad_response',
        'http_status',
        'redirect_loop',
        'too_many_redirects',
        'too_large',
        'headers_too_large',
        'content_coding_broken',
        'browser_failed',
        'out_of_memory',
      ].map((code) => [code, 'not had'] as const),
    ])('as it failed by %s is %s', (code, kind) => {
      const error = refusalFor(code as FetchFailureCode, 'so it is');
      const told = {
        refused: { name: 'DomainError', code: 'url_not_allowed' },
        late: { name: 'PageUnavailable', late: true },
        'not had': { name: 'PageUnavailable', late: false },
      };
      expect(error).toMatchObject({ ...told[kind], message: 'so it is' });
    });

    it('as its robots.txt disallows it, or where it leads', async () => {
      const disallowed = { allowed: false, reason: 'disallowed' } as RobotsVerdict;
      expect(await refused(pageOf(HTML), { verdicts: { [URL]: disallowed } })).toMatchObject({
        code: 'url_not_allowed',
        message: `robots.txt of its site disallows ${URL}`,
      });
      const target = 'https://b.example/';
      const leading = async ({ mayFollow }: PageRequest): Promise<FetchOutcome> =>
        (await mayFollow!(target)) ? pageOf(HTML) : { kind: 'redirected_out', finalUrl: URL, target };
      expect(await refused(leading, { verdicts: { [target]: disallowed } })).toMatchObject({
        code: 'url_not_allowed',
        message: `robots.txt of its site disallows ${target}`,
      });
      const { run, checked } = setUp(leading);
      expect((await run()).url).toBe('https://a.example/end');
      expect(checked).toEqual([URL, target]);
    });
  });
});
