import { admit, parseCrawlUrl } from '../../../domain/crawl/crawl-scope.ts';
import { JOB_LIMIT } from '../../../domain/data-source/index.ts';
import type { PendingPage } from '../../ports/crawl-frontier.ts';
import type { FetchedPage, FetchOutcome, RobotsVerdict } from '../../ports/page-fetcher.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';

/** A requested page and its outcome. */
export interface Fetched {
  readonly pending: PendingPage;
  readonly purpose: 'index' | 'links_only';
  readonly outcome:
    | FetchOutcome
    | { readonly kind: 'robots' }
    | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly status: null };
}

export type WithPage = Fetched & { readonly outcome: FetchedPage };

/** The purpose of a page's visit. */
export const purposeOf = (crawl: Crawl, url: string, depth: number): Fetched['purpose'] => {
  const admission = admit(crawl.scope, new URL(url), depth, 0);
  return admission.admitted ? admission.purpose : 'index';
};

/**
 * Checks robots.txt, then fetches the page. Never rejects because of a server's behaviour. @throws the reason of
 * `signal`
 */
export const fetchPending = async (
  { fetcher }: CrawlDeps,
  crawl: Crawl,
  pending: PendingPage,
  signal: AbortSignal,
): Promise<Fetched> => {
  const purpose = purposeOf(crawl, pending.url, pending.depth);
  const verdict = await crawl.robots.check(pending.url, signal);
  if (!verdict.allowed) return { pending, purpose, outcome: refusal(verdict) };
  let refused: Refused | null = null;
  const outcome = await fetcher.fetchPage(
    {
      url: pending.url,
      ...validators(crawl, pending),
      accept: crawl.parameters.htmlOnly ? 'html' : 'any',
      useBrowser: crawl.parameters.useBrowser,
      patienceMs: JOB_LIMIT,
      session: crawl,
      mayLoad: async (url) => (await crawl.robots.check(url, signal)).allowed,
      mayFollow: async (target) => {
        if (!mayRedirectTo(crawl, pending, target) && !isDetour(pending, target)) return false;
        const of = await crawl.robots.check(target, signal);
        refused = of.allowed ? null : of;
        return of.allowed;
      },
    },
    signal,
  );
  if (refused !== null) return { pending, purpose, outcome: refusal(refused) };
  return { pending, purpose, outcome: respelt(crawl, withinScope(crawl, pending, outcome)) };
};

/** Of a detour that did not lead back, only where it ended is told. */
const withinScope = (crawl: Crawl, pending: PendingPage, outcome: FetchOutcome): FetchOutcome => {
  const { kind, finalUrl } = outcome;
  const isInside = finalUrl === pending.url || mayRedirectTo(crawl, pending, finalUrl);
  if (isInside || kind === 'failed' || kind === 'redirected_out') return outcome;
  return { kind: 'redirected_out', finalUrl: pending.url, target: finalUrl };
};

/** A redirect may lead to another spelling of a page, such as one with the id of a session. */
const respelt = (crawl: Crawl, outcome: FetchOutcome): FetchOutcome => {
  const parsed = parseCrawlUrl(outcome.finalUrl);
  return parsed.ok ? { ...outcome, finalUrl: crawl.spellings.of(parsed.url).href } : outcome;
};

type Refused = Extract<RobotsVerdict, { readonly allowed: false }>;

const refusal = (verdict: Refused): Fetched['outcome'] =>
  verdict.reason === 'disallowed'
    ? { kind: 'robots' }
    : { kind: 'failed', code: verdict.code, message: verdict.message, status: null };

/** Validators of the last success, for incremental jobs; a full job ignores them. */
const validators = (crawl: Crawl, { known }: PendingPage) =>
  known === undefined || known.failed || crawl.job.state.mode === 'full'
    ? {}
    : { etag: known.etag ?? undefined, lastModified: known.lastModified ?? undefined };

/**
 * Whether a redirect leads through a question (of consent, of age) and promises to come back: its query names the page.
 * Such a place may be outside of the crawl.
 */
const isDetour = ({ url }: PendingPage, target: string): boolean => {
  const page = new URL(url);
  return [...new URL(target).searchParams.values()].some((value) => {
    const back = /^(?:\/|https?:)/i.test(value) ? URL.parse(value, url) : null;
    return back?.host === page.host && back.pathname === page.pathname;
  });
};

/**
 * The start URL may redirect to another site, which then becomes the site of the crawl. Other pages may redirect only
 * to URLs that a link may lead to.
 */
const mayRedirectTo = (crawl: Crawl, { depth }: PendingPage, target: string): boolean => {
  const parsed = parseCrawlUrl(target);
  return parsed.ok && (depth === 0 || admit(crawl.scope, parsed.url, depth, 0).admitted);
};
