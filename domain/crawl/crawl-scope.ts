type LinkTrap = 'repeated_segments' | 'path_too_deep' | 'too_many_parameters';

const MAX_REPEATS = 3;
const MAX_SEGMENTS = 20;
const MAX_PARAMETERS = 10;

/**
 * Detects URLs of an endless URL space: relative links that keep adding the same segments (`/a/b/a/b/…`), bottomless
 * folders, faceted searches. Real pages rarely have such URLs; without this check a crawl spends its whole
 * `maxNumFiles` on them.
 */
const linkTrapOf = (url: URL): LinkTrap | null => {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return 'path_too_deep';
  if (url.searchParams.size > MAX_PARAMETERS) return 'too_many_parameters';
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATS) return 'repeated_segments';
    counts.set(segment, count);
  }
  return null;
};

/** Whether the path of a URL passes the path filters. Globs are matched outside of the domain. */
export type PathFilter = (pathname: string) => boolean;

/** The rules of one crawl. */
export interface CrawlScope {
  /** The final URL of the start page: if the start URL redirects, the crawl stays on the target's site. */
  readonly start: URL;
  /**
   * The start page has depth 0, its links lead to depth 1. Pages at `maxDepth` are visited, but their links are not.
   */
  readonly maxDepth: number;
  /** Maximum number of admitted URLs, including the start URL and pages that are visited only for their links. */
  readonly maxFiles: number;
  readonly passesPath: PathFilter;
  /** With a leading dot, in any case. Empty for every file. */
  readonly fileExtensions: readonly string[];
}

export type AdmissionRefusal =
  | UrlRefusal
  | LinkTrap
  | 'other_site'
  | 'too_deep'
  | 'file_limit_reached'
  | 'path_filtered'
  | 'extension_not_listed';

export type Admission =
  /** `links_only`: the page is fetched for its links, but not indexed. */
  | { readonly admitted: true; readonly purpose: 'index' | 'links_only' }
  | { readonly admitted: false; readonly reason: AdmissionRefusal };

/** Extensions of web pages; a URL without an extension is treated as a page, too. */
const PAGE_EXTENSIONS = ['.html', '.htm', '.xhtml', '.php', '.asp', '.aspx', '.jsp'];
const EXTENSION = /\.(?=[0-9]*[a-z])[0-9a-z]{1,9}$/;

/**
 * Whether to visit `url`, found at `depth`, when `admittedSoFar` URLs have been admitted before.
 *
 * The start URL (depth 0) is always visited: the filters only decide whether it is indexed. With `fileExtensions`, a
 * page is indexed only if the list contains its extension (`.html` or `.htm` for a page without one); otherwise it is
 * visited for its links, because they lead to the files. Other files outside of the list are not fetched.
 */
export const admit = (scope: CrawlScope, url: URL, depth: number, admittedSoFar: number): Admission => {
  if (depth > scope.maxDepth) return refuse('too_deep');
  if (!sameSite(url, scope.start)) return refuse('other_site');
  const trap = linkTrapOf(url);
  if (trap !== null && depth > 0) return refuse(trap);
  const passes = scope.passesPath(url.pathname);
  if (!passes && depth > 0) return refuse('path_filtered');
  const kind = kindOf(url.pathname, scope.fileExtensions);
  if (kind === 'unlisted_file' && depth > 0) return refuse('extension_not_listed');
  if (admittedSoFar >= scope.maxFiles) return refuse('file_limit_reached');
  return { admitted: true, purpose: passes && kind === 'listed' ? 'index' : 'links_only' };
};

const refuse = (reason: AdmissionRefusal): Admission => ({ admitted: false, reason });

const kindOf = (pathname: string, listed: readonly string[]): 'listed' | 'page' | 'unlisted_file' => {
  if (listed.length === 0) return 'listed';
  const path = pathname.toLowerCase();
  const extensions = listed.map((extension) => extension.toLowerCase());
  if (extensions.some((extension) => path.endsWith(extension))) return 'listed';
  const own = EXTENSION.exec(path)?.[0];
  if (own === undefined)
    return extensions.includes('.html') || extensions.includes('.htm') ? 'listed' : 'page';
  return PAGE_EXTENSIONS.includes(own) ? 'page' : 'unlisted_file';
};

/**
 * Limits on the work of a crawl. Without them, a site whose pages cannot be stored (errors, duplicates, robots
 * directives, patterns that do not match) and that links to ever more of them would keep the crawl busy forever.
 */

/** Maximum visited pages for `maxFiles` documents. */
export const maxVisits = (maxFiles: number): number => 1_000 + 20 * maxFiles;

/** Maximum remembered URLs: a page may contain ten thousand links. */
export const maxAdmitted = (maxFiles: number): number => 10 * maxVisits(maxFiles);

/**
 * URLs in the crawler's form. `URL` (the WHATWG URL Standard) is a pure value: it lower-cases the host, drops default
 * ports, resolves dot segments and normalises IP addresses.
 */

export type UrlRefusal = 'malformed' | 'scheme_not_allowed' | 'credentials_in_url' | 'url_too_long';

export type ParsedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: UrlRefusal };

/** Maximum length of `startUrl` in characters; also applies to links. */
export const MAX_URL_LENGTH = 2000;

/**
 * Returns the canonical form of `text`, resolved against the absolute URL `base` if given: without its fragment,
 * otherwise unchanged. Query parameters, their order and trailing slashes stay, because each may select another
 * resource.
 */
export const parseCrawlUrl = (text: string, base?: string): ParsedUrl => {
  // Longer texts (usually data: links) are not parsed. Parsing may shorten a text, so the limit is twice as high here.
  if (text.length > 2 * MAX_URL_LENGTH) return { ok: false, reason: 'url_too_long' };
  const url = URL.parse(text, base);
  if (url === null) return { ok: false, reason: 'malformed' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, reason: 'scheme_not_allowed' };
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials_in_url' };
  if (url.href.includes('#')) url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) return { ok: false, reason: 'url_too_long' };
  return { ok: true, url };
};

/** Describes a refused URL for people: "an address …". */
export const describeUrlRefusal = (reason: UrlRefusal): string => {
  switch (reason) {
    case 'malformed':
      return 'an address that is not a URL';
    case 'scheme_not_allowed':
      return 'an address that is neither http nor https';
    case 'credentials_in_url':
      return 'an address with a user name or a password';
    case 'url_too_long':
      return `an address of more than ${MAX_URL_LENGTH} characters`;
  }
};

/**
 * Prepares a text that should have been a URL for display: removes user name and password (RFC 3986 section 3.2.1) and
 * cuts it to `maxLength` characters. Returns null when credentials cannot be ruled out: in a text that is not an http or
 * https URL, they may precede an `@` in many ways, so no text with an `@` is shown.
 */
export const redactedUrl = (text: string, base?: string, maxLength = 200): string | null => {
  const url = text.length > 2 * MAX_URL_LENGTH ? null : URL.parse(text, base);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    url.username = '';
    url.password = '';
    return url.href.slice(0, maxLength);
  }
  return /@|%40/.test(text) ? null : text.slice(0, maxLength);
};

/**
 * Whether two URLs belong to the same site: the same origin, where http and https on the default ports, and the host
 * with and without `www.`, count as equal. Sites link to themselves in all four forms and redirect most of them. With
 * an explicit port the origins must be equal.
 */
export const sameSite = (one: URL, other: URL): boolean => siteKey(one) === siteKey(other);

const siteKey = (url: URL): string =>
  url.port === '' ? url.hostname.replace(/^www\./, '') : `${url.protocol}//${url.host}`;

/**
 * Returns the URL under which a page is stored, so that one page never becomes two sources: its declared canonical URL
 * if it belongs to the same site, otherwise the final URL. A canonical URL of another site is ignored.
 *
 * @param declared `rel=canonical` of the page, absolute, or null
 */
export const pageIdentity = (answered: URL, declared: string | null, noCanonicalCheck: boolean): URL => {
  if (declared === null || noCanonicalCheck) return answered;
  const canonical = parseCrawlUrl(declared);
  return canonical.ok && sameSite(canonical.url, answered) ? canonical.url : answered;
};
