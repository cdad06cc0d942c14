import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import { createCrawlConnector } from '../../../../application/sources/crawl/connector.ts';
import type { CrawlDeps } from '../../../../application/sources/crawl/crawl-deps.ts';
import type { PageFacts } from '../../../../application/ports/document-reader.ts';
import type {
  FetchedPage,
  FetchOutcome,
  PageRequest,
  RobotsVerdict,
} from '../../../../application/ports/page-fetcher.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { JobState } from '../../../../domain/data-source/index.ts';
import type { CrawlParameters } from '../../../../domain/ingestion-setting/index.ts';
import { createMemoryFrontier } from '../../../support/crawl-frontier.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { documentOf, openDocumentsInMemory } from '../ingestion/documents-in-memory.ts';
import { on, START } from './crawls-in-memory.ts';

/** A page of a site: a text, where it leads, and whatever a server or its head may say. */
export interface SitePage {
  readonly text?: string;
  readonly links?: readonly string[];
  readonly says?: Partial<PageFacts>;
  readonly answers?: Partial<FetchedPage>;
  /** Instead of a page. */
  readonly outcome?: FetchOutcome;
  /** It redirects there. */
  readonly to?: string;
}

export const failure = (status: number | null, code: string = 'http_status'): FetchOutcome =>
  ({
    kind: 'failed',
    finalUrl: '',
    code,
    message: `answered ${status}`,
    status,
    transient: false,
    retryAfterMs: null,
  }) as FetchOutcome;

const FACTS = {
  links: [],
  canonical: null,
  refresh: null,
  noindex: false,
  nofollow: false,
  needsScripts: false,
};

/**
 * A site in memory, and the jobs that crawl it: with real documents and their events, a frontier in memory, and a server
 * that answers as the test says. `asked` has the requests, in order.
 */
export const openSiteInMemory = (parameters: Partial<CrawlParameters> = {}) => {
  const documents = openDocumentsInMemory();
  const catalog = { ids: [] as readonly string[] };
  const { frontier, outcomes, visitOf } = createMemoryFrontier(() => catalog.ids);
  const asked: PageRequest[] = [];
  const world = {
    /** By path, `''` is the start; those of other sites by their URL. */
    pages: new Map<string, SitePage>(),
    /** What robots.txt says of a URL. */
    robots: (_url: string): RobotsVerdict => ({ allowed: true }),
    sitemaps: [] as readonly string[],
    /** What sitemaps name, and whether all could be had. */
    named: { urls: [] as readonly string[], complete: true },
    rulesChangedAt: 0,
    onFetch: (_url: string): void | Promise<void> => {},
    /** Until aborted. */
    sleep: (_ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    parameters: crawlParameters({ startUrl: START, ...parameters }),
  };
  const pageOf = (url: string): SitePage | undefined =>
    world.pages.get(url.startsWith(START) ? url.slice(START.length) : url);
  const factsOf = new Map<string, Partial<PageFacts>>();
  const fetchPage = async (request: PageRequest): Promise<FetchOutcome> => {
    const { url, etag, mayFollow } = request;
    asked.push(request);
    await world.onFetch(url);
    const page = pageOf(url) ?? { outcome: failure(404) };
    if (page.outcome !== undefined) return { ...page.outcome, finalUrl: url };
    const target = page.to;
    if (target !== undefined && (await mayFollow?.(target)) !== true)
      return { kind: 'redirected_out', finalUrl: url, target };
    const { text = '', links = [], says, answers } = target === undefined ? page : (pageOf(target) ?? page);
    const finalUrl = target ?? url;
    const answeredEtag = `"${text}"`;
    if (etag === answeredEtag) return { kind: 'not_modified', finalUrl };
    factsOf.set(text, { links, ...says });
    return {
      kind: 'page',
      finalUrl,
      status: 200,
      mediaType: 'text/html',
      charset: null,
      body: new TextEncoder().encode(text),
      bytes: text.length,
      etag: answeredEtag,
      lastModified: null,
      robots: { noindex: false, nofollow: false },
      ...answers,
    };
  };
  documents.read = (html) => {
    const text = html.replaceAll(/<!--.*?-->/g, '');
    const of = documentOf(text, { page: { ...FACTS, ...factsOf.get(text) } as PageFacts });
    const place = { headingPath: [], pageNumber: 0, tokenCount: 1, occurrence: 0 };
    const chunks = [{ ...place, text, textHash: documents.hash.sha256(text) }];
    return { ...of, chunkSet: { ...of.chunkSet, chunks } };
  };
  const sitemapsAsked: unknown[] = [];
  const deps: CrawlDeps = {
    frontier,
    fetcher: { fetchPage },
    browser: { missing: () => null },
    robots: () => ({
      check: async (url: string) => world.robots(url),
      sitemaps: async () => world.sitemaps,
    }),
    sitemaps: {
      readSitemaps: async (...of: readonly unknown[]) => {
        sitemapsAsked.push(of);
        return world.named;
      },
    },
    patterns: patternCompiler,
    clock: documents.clock,
    hash: documents.hash,
    robotName: 'knowledger',
    fetches: 4,
    sleep: (ms, signal) => world.sleep(ms, signal),
  };
  const stop = new AbortController();
  return {
    world,
    documents,
    frontier,
    outcomes,
    visitOf,
    asked,
    catalog,
    sitemapsAsked,
    deps,
    stop,
    connector: createCrawlConnector(deps),
    run: (generation: number, more: Partial<JobState> = {}) => {
      documents.generation = generation;
      documents.more = { mode: generation === 1 ? 'full' : 'incremental', attempt: 1, ...more };
      const { job, documents: of } = documents;
      const { parameters: now, rulesChangedAt } = world;
      return createCrawlConnector(deps).run(
        { job, documents: of, parameters: now, rulesChangedAt },
        stop.signal,
      );
    },
    /** What was told of the document of a page, oldest first. */
    factsOf: async (path: string) =>
      (await documents.stored(sourceStream(documents.documents.idOf(on(path))))).map(({ type }) => type),
    askedFor: () => asked.map(({ url }) => url.slice(START.length)),
  };
};
