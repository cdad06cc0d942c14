import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';

export interface PageRequest {
  /** Absolute. Only http and https URLs without credentials are fetched; others fail with `url_not_allowed`. */
  readonly url: string;
  /** Validators of an earlier response (RFC 9110, section 13.1), as received. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /**
   * The URL that returned the validators, if a redirect led to it. They are sent only to that URL: when the redirecting
   * URL now responds itself, they do not apply to its response.
   */
  readonly validatedUrl?: string | undefined;
  /** `html`: a body of another media type is not downloaded. Default `any`. */
  readonly accept?: 'any' | 'html';
  /**
   * Whether to run the scripts of an HTML page. `body` is then the rendered page, in UTF-8 and without validators, and
   * a navigation by script counts as a redirect. Costs nothing for a page without scripts. Without a browser (see
   * `Browser`) the page fails with `browser_failed`. Default false.
   */
  readonly useBrowser?: boolean;
  /** With `useBrowser`: called before scripts load another resource from the page's site. Default: all may load. */
  readonly mayLoad?: (url: string) => boolean | Promise<boolean>;
  /** Called with the absolute target before each redirect. Default: every redirect is followed. */
  readonly mayFollow?: (target: string) => boolean | Promise<boolean>;
  /** Limit on the body in bytes, both decoded and as received. Default and maximum: the fetcher's own limit. */
  readonly maxBytes?: number;
  /**
   * How long the page waits in all, in milliseconds, while its host asks for pauses (429, or 503 with Retry-After).
   * Default 30 s. A host that refuses for an hour and answers nobody else is given up earlier.
   */
  readonly patienceMs?: number;
  /** Requests with the same object share cookies. Default: cookies live within the redirects of the request. */
  readonly session?: object;
}

interface Answered {
  /** The URL that responded, after redirects. */
  readonly finalUrl: string;
}

export interface FetchedPage extends Answered {
  readonly kind: 'page';
  readonly status: number;
  /** Lower case, without parameters; detected from the first bytes if the server sends none. */
  readonly mediaType: string;
  /** The `charset` parameter as the server sent it: often wrong. */
  readonly charset: string | null;
  /** From Content-Disposition, without folders; absent if the server names none. */
  readonly fileName?: string;
  /** After content decoding (such as gzip). */
  readonly body: Uint8Array;
  /** Bytes of the body as received, before content decoding. */
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** From `X-Robots-Tag`. The page itself may add to it. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
}
/** The page has not changed since it returned the validators. */
interface PageNotModified extends Answered {
  readonly kind: 'not_modified';
}
/** `mayFollow` returned false, so `target` was not requested. `finalUrl` is the URL that redirects there. */
interface PageRedirectedOut extends Answered {
  readonly kind: 'redirected_out';
  readonly target: string;
}
interface PageSkipped extends Answered {
  readonly kind: 'skipped';
  /** `not_html`: excluded by `accept`; `no_content`: the server reports that there is none (204, 205). */
  readonly reason: 'not_html' | 'no_content';
  readonly mediaType: string;
}
export interface PageFailed extends Answered {
  readonly kind: 'failed';
  readonly code: FetchFailureCode;
  /**
   * What happened, in a sentence for people that does not repeat `url`. Contains no user name or password from a URL.
   */
  readonly message: string;
  /** Set with code `http_status`. 404 and 410 mean that the page is gone. */
  readonly status: number | null;
  /** Whether a later retry may succeed. */
  readonly transient: boolean;
  /** Retry-After of the server, in milliseconds. */
  readonly retryAfterMs: number | null;
}
export type FetchOutcome = FetchedPage | PageNotModified | PageRedirectedOut | PageSkipped | PageFailed;

/**
 * Fetches untrusted pages of the public web.
 *
 * The implementation sends cookies to the host that set them alone, sends no credentials, and connects only to public addresses and to those that
 * the operator allows. It checks the address of each connection, on every redirect. It limits redirects, header and
 * body sizes, and time. It retries transient failures a few times, spaces the requests to one host, and
 * sends none while the host asks for a pause.
 */
export interface PageFetcher {
  /**
   * Never rejects because of a server's behaviour: every such outcome is a value. Concurrent calls are independent.
   *
   * @throws the reason of `signal` as soon as it aborts; the connection is closed
   */
  fetchPage(request: PageRequest, signal: AbortSignal): Promise<FetchOutcome>;
}

export type RobotsVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'disallowed' }
  /** robots.txt could not be read, so everything counts as disallowed. The site itself is probably down. */
  | {
      readonly allowed: false;
      readonly reason: 'unreachable';
      readonly code: FetchFailureCode;
      readonly message: string;
    };

/**
 * The robots rules of the sites of one crawl (RFC 9309). Create one per crawl: it reads robots.txt once per origin and
 * caches it for a while, and all calls share the crawl's signal.
 *
 * A response of 400 to 499 except 429 means that nothing is disallowed. 429, 500 to 599 and an unreachable host
 * disallow everything. After reading a robots.txt, the page fetcher respects its Crawl-delay on that host.
 */
export interface RobotsPolicy {
  /** @throws the reason of `signal` when it aborts */
  check(url: string, signal: AbortSignal): Promise<RobotsVerdict>;
  /** Absolute URLs of the sitemaps named by the origin of `url`, at most 100; empty if the origin is unreachable. */
  sitemaps(url: string, signal: AbortSignal): Promise<readonly string[]>;
}

interface SitemapLimits {
  /** Maximum number of URLs to return; default and maximum 50,000. */
  readonly maxUrls?: number;
  /**
   * Nobody named the sitemaps: what is no sitemap there, or is refused for good, counts as none. Default false.
   */
  readonly guessed?: boolean;
  /** As in `PageRequest`, of each sitemap. */
  readonly patienceMs?: number;
}

interface NamedUrls {
  /** Absolute and canonical, without duplicates, in order. */
  readonly urls: readonly string[];
  /** False if a sitemap could not be read for a transient reason and may name more URLs. */
  readonly complete: boolean;
}

/** Reads sitemaps (sitemaps.org): XML, text or gzip, and index files. Sitemaps are only a hint where pages may be. */
export interface SitemapReader {
  /**
   * The URLs named by `sitemaps`. Skips what cannot be fetched or parsed. Index files may nest twice; at most 50 files
   * are fetched.
   *
   * @param mayFetch called before each sitemap, which may be on another site than the one it describes
   * @throws the reason of `signal` when it aborts
   */
  readSitemaps(
    sitemaps: readonly string[],
    options: SitemapLimits & { readonly mayFetch?: (url: string) => boolean | Promise<boolean> },
    signal: AbortSignal,
  ): Promise<NamedUrls>;
}

/** The headless browser of this service: `PageFetcher` runs the scripts of pages in it on request. */
export interface Browser {
  /**
   * Why there is no browser and how to fix it, for people; null if there is one. Starts nothing, and may be called at
   * any time. The answer may change while the service runs, because a browser may fail to start.
   */
  missing(): string | null;
}
