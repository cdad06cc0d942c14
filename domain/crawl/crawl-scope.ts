type LinkTrap = 'repeated_segments' | 'path_too_deep' | 'too_many_parameters';

const MAX_REPEATS = 3;
const MAX_SEGMENTS = 20;
const MAX_PARAMETERS = 10;

/**
 * The sign of an endless space of URLs in `url`, or null: relative links that keep adding the same segments
 * (`/a/b/a/b/…`), bottomless folders, faceted searches. Real pages rarely look so; a crawl without this guard spends
 * its whole `maxNumFiles` there.
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

/** Whether the path of a URL passes the path filters. Globs are matched outside the domain. */
export type PathFilter = (pathname: string) => boolean;

/** The rules of one crawl. */
export interface CrawlScope {
  /** The URL that answered for the start URL: after a redirect of the start URL, the final site is the site. */
  readonly start: URL;
  /** The start page has depth 0, a page it links to depth 1; pages of `maxDepth` are visited, their links are not. */
  readonly maxDepth: number;
  /** Bound on the URLs admitted, the start URL and pages visited only for their links included. */
  readonly maxFiles: number;
  readonly passesPath: PathFilter;
  /** With leading dot, in any case. Empty: every file. */
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
  /** `links_only`: fetched for the links in it, not indexed. */
  | { readonly admitted: true; readonly purpose: 'index' | 'links_only' }
  | { readonly admitted: false; readonly reason: AdmissionRefusal };

/** What a web page is called; a URL without an extension is taken for a page too. */
const PAGE_EXTENSIONS = ['.html', '.htm', '.xhtml', '.php', '.asp', '.aspx', '.jsp'];
const EXTENSION = /\.(?=[0-9]*[a-z])[0-9a-z]{1,9}$/;

/**
 * Whether `url`, found at `depth`, is visited, when `admittedSoFar` URLs were admitted before it.
 *
 * The start URL (depth 0) is always visited: the filters decide only whether it is indexed. Where `fileExtensions` is
 * given, a page is indexed only if the list names its extension (for one without: `.html` or `.htm`), and is visited
 * for its links otherwise, since files are found through pages; any other file outside the list is not fetched.
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
 * Bounds on what a crawl does for the documents it may store. Without them a site whose pages cannot be stored (errors,
 * duplicates, directives, patterns that do not match) and lead to ever more of their kind would keep it busy for ever.
 */

/** Pages that are visited, for `maxFiles` documents. */
export const maxVisits = (maxFiles: number): number => 1_000 + 20 * maxFiles;

/** URLs that are remembered: a page may link to ten thousand. */
export const maxAdmitted = (maxFiles: number): number => 10 * maxVisits(maxFiles);

/**
 * URLs as the crawler knows them. `URL` (the WHATWG URL Standard) is a pure value: it lower-cases the host, drops
 * default ports, resolves dot segments and reads every spelling of an IP address as one.
 */

export type UrlRefusal = 'malformed' | 'scheme_not_allowed' | 'credentials_in_url' | 'url_too_long';

export type ParsedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: UrlRefusal };

/** The bound of `startUrl`, in characters; links are held to it too. */
export const MAX_URL_LENGTH = 2000;

/**
 * The canonical form of `text`, resolved against the absolute URL `base` where given: without a fragment, and nothing else rewritten.
 * Query parameters, their order and trailing slashes stay as they are, since each may select another resource.
 */
export const parseCrawlUrl = (text: string, base?: string): ParsedUrl => {
  // Longer texts (data: links mostly) are not worth parsing; blanks and `..` may still shorten a text below twice.
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

/** Why a URL is not fetched, in words for people: "an address …". */
export const refusedUrlInWords = (reason: UrlRefusal): string => {
  switch (reason) {
    case 'malformed':
      return 'an address that is no URL';
    case 'scheme_not_allowed':
      return 'an address that is neither http nor https';
    case 'credentials_in_url':
      return 'an address with a user name or a password';
    case 'url_too_long':
      return `an address of more than ${MAX_URL_LENGTH} characters`;
  }
};

/**
 * A text that should have been a URL, as it may be told: without user name and password (RFC 3986 section 3.2.1), cut
 * to `most` characters. Null where that cannot be made sure: a text that is no http or https URL shows what stands
 * before an `@` in many ways, so that one with an `@` is not told at all.
 */
export const redactedUrl = (text: string, base?: string, most = 200): string | null => {
  const url = text.length > 2 * MAX_URL_LENGTH ? null : URL.parse(text, base);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    url.username = '';
    url.password = '';
    return url.href.slice(0, most);
  }
  return /@|%40/.test(text) ? null : text.slice(0, most);
};

/**
 * Whether two URLs belong to one site: the same origin, where on the default ports http and https, and the host with
 * and without `www.`, count as one. Sites link to themselves in all four forms and answer most of them by redirect.
 * With an explicit port the origins must be equal.
 */
export const sameSite = (one: URL, other: URL): boolean => siteKey(one) === siteKey(other);

const siteKey = (url: URL): string =>
  url.port === '' ? url.hostname.replace(/^www\./, '') : `${url.protocol}//${url.host}`;

/**
 * The URL under which a page is kept, so that one page never becomes two sources: its declared canonical URL, if that
 * is a URL of the same site; else the URL that answered. A canonical URL of another site is not believed.
 *
 * @param declared `rel=canonical` of the page, absolute, or null
 */
export const pageIdentity = (answered: URL, declared: string | null, noCanonicalCheck: boolean): URL => {
  if (declared === null || noCanonicalCheck) return answered;
  const canonical = parseCrawlUrl(declared);
  return canonical.ok && sameSite(canonical.url, answered) ? canonical.url : answered;
};
