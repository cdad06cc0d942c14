import { type CrawlScope, parseCrawlUrl, describeUrlRefusal } from '../../../domain/crawl/crawl-scope.ts';
import { type FetchFailureCode, titleOfFetchFailure } from '../../../domain/crawl/fetch-failure.ts';
import { JOB_LIMIT, type JobCounts, type JobErrorTitle } from '../../../domain/data-source/index.ts';
import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import type { ConnectorOutcome, Ingestion } from '../ingestion/connector.ts';
import { titleOfReadFailure } from '../ingestion/read-documents.ts';
import type { AdmittedPage, PageOfSource } from '../../ports/crawl-frontier.ts';
import { linksToAdmit } from './admit-links.ts';
import type { WorkError } from '../ingestion/job.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { openSpellings } from './spellings.ts';
import { visitAll } from './visit-all.ts';

const AT_ONCE = 100;

/** robots.txt of the start is read before the job begins, for which it has `STARTING_LIMIT`. */
const ROBOTS_PATIENCE_MS = 120_000;
/** No page is visited before, and perhaps there is none. */
const GUESSED_SITEMAP_PATIENCE_MS = 120_000;

/**
 * How much of the site a pass has visited: all of it; all except URLs in a sitemap that could not be read; a part,
 * because of a limit; or only the pages that the job names.
 */
type Pass = 'whole' | 'without sitemap' | 'cut' | 'told';

/**
 * Removes the documents that the pass did not see. After a partial pass, removes only those whose page turned out to be
 * no document any more; after a truncated pass, also the unseen ones in excess of `maxNumFiles`.
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

/** Removes documents that only the catalog knows. If the catalog lags, a repeated removal appends no event. */
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

/** Runs a crawl from the current state of its frontier: an interrupted job continues after its last commit. */
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
  // A job over named pages is no verdict on the site.
  if (crawl.followsLinks && counts.indexed + counts.unchanged === 0) {
    const failure = await reasonForNoDocuments(deps, crawl, counts);
    if (failure !== null) return failure;
  }
  await sweepUnseen(deps, crawl, passOf(crawl, complete, sitemapsRead), signal);
  const error = crawl.followsLinks ? await lossOf(deps, crawl, counts) : null;
  return {
    kind: 'completed',
    counts,
    complete: complete && crawl.followsLinks,
    ...(error !== null && { error }),
  };
};

/** A job that lost more of its pages than this tells so, although it succeeded. */
const TOLERATED_LOSS = 0.05;

const lossOf = async (
  { frontier }: CrawlDeps,
  { run }: Crawl,
  { seen }: JobCounts,
): Promise<WorkError | null> => {
  const lost = await frontier.lost(run);
  if (lost <= seen * TOLERATED_LOSS) return null;
  const message = `${lost} of ${seen} pages could not be read, dead links not counted: the list of errors names all`;
  return { title: 'Page not reachable', message };
};

/** The start URL, or the pages that the job names; a named page other than the start has depth 1. */
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
  if (!start.ok) throw new Error(`the start URL is not usable: it is ${describeUrlRefusal(start.reason)}`);
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
    robots: deps.robots(ROBOTS_PATIENCE_MS),
    spellings: await openSpellings(deps.frontier, job.dataSourceId, {
      ...parameters,
      startUrl: start.url.href,
    }),
    passesContent: deps.patterns.contentFilter(parameters.contentPattern),
    followsLinks: job.state.locators === undefined,
    scope: redirected === null ? scope : { ...scope, start: new URL(redirected) },
  };
};

/** Checks before the first fetch: the address is allowed, and robots.txt permits it. */
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
 * Admits the URLs of sitemaps, which are a hint where pages may be: of those that robots.txt names, or of the one at its
 * usual place. Every attempt reads them, because an earlier
 * attempt may have broken off before. If a sitemap cannot be read, admits all known pages, so that no existing page
 * counts as deleted. Returns whether all sitemaps could be read.
 */
const admitSitemaps = async (deps: CrawlDeps, crawl: Crawl, signal: AbortSignal): Promise<boolean> => {
  if (crawl.scope.maxDepth < 1) return true;
  const named = await crawl.robots.sitemaps(crawl.scope.start.href, signal);
  const guessed = named.length === 0;
  const sitemaps = guessed ? [new URL('/sitemap.xml', crawl.scope.start).href] : named;
  const mayFetch = async (url: string): Promise<boolean> => (await crawl.robots.check(url, signal)).allowed;
  const maxUrls = Math.min(50_000, 2 * crawl.parameters.maxNumFiles);
  const { urls, complete } = await deps.sitemaps.readSitemaps(
    sitemaps,
    { mayFetch, maxUrls, guessed, patienceMs: guessed ? GUESSED_SITEMAP_PATIENCE_MS : JOB_LIMIT },
    signal,
  );
  await deps.frontier.admit(crawl.run, linksToAdmit(crawl, urls, 0));
  if (!complete) await deps.frontier.admitKnown(crawl.run);
  return complete;
};

/** A crawl without documents failed if errors or robots.txt caused it. It succeeded if everything was filtered out. */
const reasonForNoDocuments = async (
  deps: CrawlDeps,
  crawl: Crawl,
  counts: JobCounts,
): Promise<Failed | null> => {
  if (counts.failed > 0) {
    const { rows } = await deps.frontier.errors(crawl.run.dataSourceId, { limit: 1 });
    const [error] = rows;
    if (error === undefined) return null;
    return failed(error.code, titleOf(error.code), `${error.locator}: ${error.message}`);
  }
  const blocked = await deps.frontier.robotsBlocked(crawl.run.dataSourceId, 1);
  if (blocked.length < counts.seen) return null;
  return failed('robots', 'Blocked by robots.txt', `robots.txt does not allow ${blocked[0]}`);
};

const titleOf = (code: string): JobErrorTitle =>
  titleOfReadFailure(code) ?? titleOfFetchFailure(code as FetchFailureCode);
