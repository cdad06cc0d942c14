import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';

export interface PageRequest {
  /** Absolute. Only http and https without credentials are fetched; anything else fails as `url_not_allowed`. */
  readonly url: string;
  /** Validators of an earlier answer (RFC 9110, section 13.1), as received. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /**
   * The URL that gave the validators, where it is not `url` because of a redirect. They are sent to that URL alone:
   * a redirecting URL which now answers by itself must not be compared with them.
   */
  readonly validatedUrl?: string | undefined;
  /** `html`: a body of another media type is not downloaded. Default `any`. */
  readonly accept?: 'any' | 'html';
  /**
   * Whether the scripts of an HTML page are run before it is answered: `body` is then what they made of it, in UTF-8
   * and without validators, and a page that they lead to counts as a redirect. Costs nothing where a page has no script.
   * Without a browser (see `Browser`) the page fails as `browser_failed`. Default false.
   */
  readonly useBrowser?: boolean;
  /** With `useBrowser`: asked before scripts load anything more from the site of the page. Default: all is loaded. */
  readonly mayLoad?: (url: string) => boolean | Promise<boolean>;
  /** Asked before each redirect is followed, with the absolute target. Default: every redirect is followed. */
  readonly mayFollow?: (target: string) => boolean | Promise<boolean>;
  /** Bound on the body, decoded and as received, in bytes. Default: the fetcher's own, which it never exceeds. */
  readonly maxBytes?: number;
}

interface Answered {
  /** The URL that answered, after redirects. */
  readonly finalUrl: string;
}

export interface FetchedPage extends Answered {
  readonly kind: 'page';
  readonly status: number;
  /** Lower case, without parameters; judged from the first bytes where the server names none. */
  readonly mediaType: string;
  /** The `charset` parameter as the server gave it: a claim, often wrong. */
  readonly charset: string | null;
  /** After content decoding (gzip and the like). */
  readonly body: Uint8Array;
  /** Bytes of the body as received, before content decoding. */
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** From `X-Robots-Tag`: the page itself may say the same or more. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
}
/** The page is what it was when it gave the validators. */
interface PageNotModified extends Answered {
  readonly kind: 'not_modified';
}
/** `mayFollow` said no: `target` was not asked for. `finalUrl` is the URL that redirects there. */
interface PageRedirectedOut extends Answered {
  readonly kind: 'redirected_out';
  readonly target: string;
}
interface PageSkipped extends Answered {
  readonly kind: 'skipped';
  /** `not_html`: refused by `accept`; `no_content`: the server says that there is none (204, 205). */
  readonly reason: 'not_html' | 'no_content';
  readonly mediaType: string;
}
export interface PageFailed extends Answered {
  readonly kind: 'failed';
  readonly code: FetchFailureCode;
  /** What happened, in a sentence for people that does not repeat `url`. Holds no user name or password of a URL. */
  readonly message: string;
  /** With `http_status`. 404 and 410 mean that the page is gone. */
  readonly status: number | null;
  /** Whether asking again later may help. */
  readonly transient: boolean;
  /** What the server asked for in Retry-After, milliseconds. */
  readonly retryAfterMs: number | null;
}
export type FetchOutcome = FetchedPage | PageNotModified | PageRedirectedOut | PageSkipped | PageFailed;

/**
 * Fetches pages of the public web that nobody vouches for.
 *
 * The implementation keeps no cookies, sends no credentials, and connects to public addresses only (and to those that
 * the operator allows), checked for the address actually connected to, on every redirect. It bounds redirects, header
 * and body sizes, and time; repeats what failed in passing a few times; and spaces the requests to one host.
 */
export interface PageFetcher {
  /**
   * Never rejects for what a server does: every such outcome is a value. Concurrent calls are independent.
   *
   * @throws the reason of `signal` as soon as it aborts; the connection is given up
   */
  fetchPage(request: PageRequest, signal: AbortSignal): Promise<FetchOutcome>;
}

export type RobotsVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'disallowed' }
  /** robots.txt could not be read, so that everything counts as disallowed; the site itself is likely down. */
  | {
      readonly allowed: false;
      readonly reason: 'unreachable';
      readonly code: FetchFailureCode;
      readonly message: string;
    };

/**
 * What the sites of one crawl allow a robot (RFC 9309). Make one per crawl: robots.txt of each origin is read once
 * and kept for a while, and all calls share the crawl's signal.
 *
 * An answer of 400 to 499 means that nothing is disallowed, but for 429, which like 500 to 599 and an unreachable
 * host disallows everything. Reading a robots.txt also makes the page fetcher keep its Crawl-delay on that host.
 */
export interface RobotsPolicy {
  /** @throws the reason of `signal` when it aborts */
  check(url: string, signal: AbortSignal): Promise<RobotsVerdict>;
  /** Absolute URLs of the sitemaps that the origin of `url` names, at most 100; none where it is unreachable. */
  sitemaps(url: string, signal: AbortSignal): Promise<readonly string[]>;
}

interface SitemapLimits {
  /** Bound on the URLs answered; default and maximum 50,000. */
  readonly maxUrls?: number;
}

interface NamedUrls {
  /** Absolute and canonical, each once, in order. */
  readonly urls: readonly string[];
  /** False when a sitemap could not be read, for a reason that may pass: others may be named there. */
  readonly complete: boolean;
}

/** Reads sitemaps (sitemaps.org): XML, text or gzip, and index files of them. Only a hint where pages may be. */
export interface SitemapReader {
  /**
   * The URLs named by `sitemaps`. What cannot be fetched or parsed is passed over.
   * Index files may nest twice; at most 50 files are fetched.
   *
   * @param mayFetch asked before each sitemap, which need not lie on the site it describes
   * @throws the reason of `signal` when it aborts
   */
  readSitemaps(
    sitemaps: readonly string[],
    options: SitemapLimits & { readonly mayFetch?: (url: string) => boolean | Promise<boolean> },
    signal: AbortSignal,
  ): Promise<NamedUrls>;
}

/**
 * The headless browser of this service: `PageFetcher` runs the scripts of pages in it where a request asks for that.
 * It may be asked at any time, and starts nothing.
 */
export interface Browser {
  /**
   * Why there is none, and what to do about it, for people; null: there is one. It may change while the service runs:
   * a browser may turn out not to start.
   */
  missing(): string | null;
}
