import { type CrawlScope, parseCrawlUrl, refusedUrlInWords } from '../../../domain/crawl/crawl-scope.ts';
import { type FetchFailureCode, titleOfFetchFailure } from '../../../domain/crawl/fetch-failure.ts';
import type { JobCounts, JobErrorTitle } from '../../../domain/data-source/index.ts';
import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import type { ConnectorOutcome, Ingestion } from '../ingestion/connector.ts';
import type { AdmittedPage, PageOfSource } from '../../ports/crawl-frontier.ts';
import { linksToAdmit } from './admit-links.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { visitAll } from './visit-all.ts';

const AT_ONCE = 100;

/**
 * How much of the site a pass has looked at: all of it, all but what a sitemap names that could not be had, less, or the
 * pages that it was told alone.
 */
type Pass = 'whole' | 'without sitemap' | 'cut' | 'told';

/**
 * Removes the documents that the pass did not come by. After one that looked at a part, only those whose page turned out
 * to be none any more; after one that was cut short, also as many of the others as lie beyond `maxNumFiles`.
 */
const sweepUnseen = async (deps: CrawlDeps, crawl: Crawl, pass: Pass, signal: AbortSignal): Promise<void> => {
  const { frontier } = deps;
  const { run, parameters } = crawl;
  const part = pass === 'cut' || pass === 'told';
  await removeAll(deps, crawl, signal, () => frontier.unseen(run, part ? 'partial' : 'complete', AT_ONCE));
  if (pass === 'cut') {
    await removeAll(deps, crawl, signal, () => frontier.surplus(run, parameters.maxNumFiles, AT_ONCE));
  }
  if (pass === 'whole') await removeOrphans(deps, crawl, signal);
};

/** What only the catalog knows of. Removed once more, where the catalog lags behind, it leads to no event. */
const removeOrphans = async (deps: CrawlDeps, crawl: Crawl, signal: AbortSignal): Promise<void> => {
  for (let after: string | null = null; ;) {
    signal.throwIfAborted();
    const ids: readonly string[] = await deps.frontier.orphans(crawl.run, after, AT_ONCE);
    await crawl.documents.remove(ids, 'not_seen');
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? null;
  }
};

const removeAll = async (
  deps: CrawlDeps,
  crawl: Crawl,
  signal: AbortSignal,
  next: () => Promise<readonly PageOfSource[]>,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const pages = await next();
    if (pages.length === 0) return;
    await crawl.documents.remove(
      pages.map(({ sourceId }) => sourceId),
      'not_seen',
    );
    crawl.job.assertLeaseHeld();
    await deps.frontier.forget(
      crawl.run,
      pages.map(({ url }) => url),
    );
  }
};

/** Runs a crawl from wherever its frontier stands: a job that was interrupted goes on after its last commit. */
export const runCrawl = async (
  deps: CrawlDeps,
  ingestion: Ingestion<CrawlParameters>,
  signal: AbortSignal,
): Promise<ConnectorOutcome> => {
  const crawl = await prepare(deps, ingestion);
  const refused = await refusedAtStart(crawl, signal);
  if (refused !== null) return refused;
  await crawl.job.begin();
  await deps.frontier.admit(crawl.run, pagesToBeginWith(crawl));
  const sitemapsRead = !crawl.followsLinks || (await admitSitemaps(deps, crawl, signal));
  const { counts, complete } = await visitAll(deps, crawl, signal);
  if (counts.indexed + counts.unchanged === 0) {
    const failure = await whyNothing(deps, crawl, counts);
    if (failure !== null) return failure;
  }
  await sweepUnseen(deps, crawl, passOf(crawl, complete, sitemapsRead), signal);
  return { kind: 'completed', counts, complete: complete && crawl.followsLinks };
};

/** The start, or the pages that the job was told: these are no nearer than a page that a link leads to. */
const pagesToBeginWith = ({ job, scope }: Crawl): readonly AdmittedPage[] => {
  const start = scope.start.href;
  return (job.state.locators ?? [start]).map((url) => ({ url, depth: url === start ? 0 : 1 }));
};

const passOf = ({ followsLinks }: Crawl, complete: boolean, sitemapsRead: boolean): Pass => {
  if (!followsLinks) return 'told';
  if (!complete) return 'cut';
  return sitemapsRead ? 'whole' : 'without sitemap';
};

const prepare = async (
  deps: CrawlDeps,
  { job, parameters, rulesChangedAt, documents }: Ingestion<CrawlParameters>,
): Promise<Crawl> => {
  const start = parseCrawlUrl(parameters.startUrl);
  if (!start.ok) throw new Error(`the start URL is not usable: it is ${refusedUrlInWords(start.reason)}`);
  const run = { dataSourceId: job.dataSourceId, generation: job.state.generation, rulesChangedAt };
  const redirected = await (job.state.locators === undefined
    ? deps.frontier.redirectOf(run, start.url.href)
    : deps.frontier.lastRedirectOf(job.dataSourceId, start.url.href));
  const scope: CrawlScope = {
    start: start.url,
    maxDepth: parameters.maxDepth,
    maxFiles: parameters.maxNumFiles,
    passesPath: deps.patterns.pathFilter(parameters.pathFilters),
    fileExtensions: parameters.fileExtensions,
  };
  return {
    job,
    documents,
    run,
    parameters: { ...parameters, startUrl: start.url.href },
    robots: deps.robots(),
    passesContent: deps.patterns.contentFilter(parameters.contentPattern),
    followsLinks: job.state.locators === undefined,
    scope: redirected === null ? scope : { ...scope, start: new URL(redirected) },
  };
};

/** What must hold before anything is fetched: the address is allowed and robots.txt lets us in. */
const refusedAtStart = async (crawl: Crawl, signal: AbortSignal): Promise<Failed | null> => {
  const url = crawl.scope.start.href;
  const verdict = await crawl.robots.check(url, signal);
  if (verdict.allowed) return null;
  if (verdict.reason === 'disallowed') {
    return failed('robots', 'Blocked by robots.txt', `robots.txt does not allow ${url}`);
  }
  return failed(verdict.code, titleOfFetchFailure(verdict.code), `${url}: ${verdict.message}`);
};

type Failed = Extract<ConnectorOutcome, { readonly kind: 'failed' }>;

const failed = (code: string, title: JobErrorTitle, message: string): Failed => ({
  kind: 'failed',
  code,
  error: { title, message },
});

/**
 * A hint where pages may be. Read by every attempt: one that broke off may not have come so far. When a sitemap cannot
 * be had, what it named before is visited all the same, so that no page is taken for gone that is there. Answers
 * whether every one could be had.
 */
const admitSitemaps = async (deps: CrawlDeps, crawl: Crawl, signal: AbortSignal): Promise<boolean> => {
  if (crawl.scope.maxDepth < 1) return true;
  const named = await crawl.robots.sitemaps(crawl.scope.start.href, signal);
  if (named.length === 0) return true;
  const mayFetch = async (url: string): Promise<boolean> => (await crawl.robots.check(url, signal)).allowed;
  const maxUrls = Math.min(50_000, 2 * crawl.parameters.maxNumFiles);
  const { urls, complete } = await deps.sitemaps.readSitemaps(named, { mayFetch, maxUrls }, signal);
  await deps.frontier.admit(crawl.run, linksToAdmit(crawl, urls, 0));
  if (!complete) await deps.frontier.admitKnown(crawl.run);
  return complete;
};

/** A crawl that stored nothing failed if it is for errors, or for robots.txt; if all was filtered out it succeeded. */
const whyNothing = async (deps: CrawlDeps, crawl: Crawl, counts: JobCounts): Promise<Failed | null> => {
  if (counts.failed > 0) {
    const { rows } = await deps.frontier.errors(crawl.run.dataSourceId, { limit: 1 });
    const [error] = rows;
    if (error === undefined) return null;
    return failed(error.code, titleOf(error.code, crawl), `${error.locator}: ${error.message}`);
  }
  const blocked = await deps.frontier.robotsBlocked(crawl.run.dataSourceId, 1);
  if (blocked.length < counts.seen) return null;
  return failed('robots', 'Blocked by robots.txt', `robots.txt does not allow ${blocked[0]}`);
};

const EXTRACTION_TITLES: ReadonlyMap<string, JobErrorTitle> = new Map([
  ['parser_failed', 'Parser failed'],
  ['out_of_memory', 'Parser failed'],
  ['encrypted', 'Parser failed'],
]);
const titleOf = (code: string, { followsLinks }: Crawl): JobErrorTitle => {
  const title = EXTRACTION_TITLES.get(code) ?? titleOfFetchFailure(code as FetchFailureCode);
  // A sync of named pages says nothing of the start.
  return title === 'Start URL not reachable' && !followsLinks ? 'Page not reachable' : title;
};
