import { sameSite, type UrlRefusal } from './crawl-url.ts';

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
