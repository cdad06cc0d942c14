import type {
  FetchOutcome,
  FetchedPage,
  PageFetcher,
  PageRequest,
} from '../../../application/ports/page-fetcher.ts';
import { parseCrawlUrl, sameSite } from '../../../domain/crawl/crawl-scope.ts';
import { isHtml } from '../content-headers.ts';
import { type CookieJar, createCookieJars, type JarOf, requestKey } from '../cookies.ts';
import { permanentFailure } from '../page-outcome.ts';
import type { PageRenderer } from './page-renderer.ts';

type Render = PageRenderer['render'];

const MAX_STEPS = 5;
const NO_VALIDATORS = { etag: undefined, lastModified: undefined, validatedUrl: undefined };

/**
 * A page fetcher that runs the scripts of pages on request. It first fetches the page by the usual rules and then opens
 * it in the browser; a page to which scripts navigate is fetched in the same way. `render` is not called for pages
 * without scripts, nor for other files.
 *
 * @param jarOf the cookies of `pages`, which are those of the browser too
 */
export const createRenderingFetcher = (
  pages: PageFetcher,
  render: Render,
  jarOf: JarOf = createCookieJars(),
): PageFetcher => ({
  fetchPage: async (asked, signal) => {
    if (asked.useBrowser !== true) return pages.fetchPage(asked, signal);
    const request = { ...asked, session: asked.session ?? {} };
    const jar = jarOf(request.session);
    const requested = new Set([keyOf(request.url, jar)]);
    const first = await pages.fetchPage(request, signal);
    return afterScripts(pages, render, request, first, { jar, requested }, signal);
  },
});

interface Browsing {
  readonly jar: CookieJar;
  /** Keys of the requests so far: a page that leads to one of them stays. */
  readonly requested: Set<string>;
}

const keyOf = (text: string, jar: CookieJar): string => {
  const url = URL.parse(text);
  return url === null ? text : requestKey(url, jar);
};

const afterScripts = async (
  pages: PageFetcher,
  render: Render,
  request: PageRequest,
  first: FetchOutcome,
  browsing: Browsing,
  signal: AbortSignal,
): Promise<FetchOutcome> => {
  let [page, askedAt] = [first, request.url];
  const { jar, requested } = browsing;
  for (let steps = 0; ; steps += 1) {
    if (page.kind !== 'page' || !isHtml(page.mediaType) || !hasScripts(page.body)) return page;
    const { finalUrl, mediaType, charset } = page;
    if (finalUrl !== askedAt) requested.add(keyOf(finalUrl, jar));
    const url = new URL(finalUrl);
    const cookies = jar.of(url);
    const contentType = charset === null ? mediaType : `${mediaType}; charset=${charset}`;
    const source = { url: finalUrl, contentType, body: page.body, cookies };
    const outcome = await render(source, mayLoadOf(request, finalUrl), signal);
    if (outcome.kind === 'failed') {
      const { code, message } = outcome;
      return { ...permanentFailure(finalUrl, code, message), transient: code !== 'too_large' };
    }
    jar.takeBack(url, cookies, outcome.cookies ?? cookies);
    const rendered = withHtml(page, outcome.html);
    if (outcome.leadsTo === null || steps === MAX_STEPS) return rendered;
    const next = await pageAt(pages, request, browsing, outcome.leadsTo, signal);
    if (next === null) return rendered;
    [page, askedAt] = [next, outcome.leadsTo];
  }
};

/** A navigation by scripts counts as a redirect; if its target is refused or is not a page, the page stays as it is. */
const pageAt = async (
  pages: PageFetcher,
  request: PageRequest,
  { jar, requested }: Browsing,
  to: string,
  signal: AbortSignal,
): Promise<FetchedPage | null> => {
  const target = parseCrawlUrl(to);
  if (!target.ok || requested.has(requestKey(target.url, jar))) return null;
  if (!((await request.mayFollow?.(target.url.href)) ?? true)) return null;
  const { href } = target.url;
  requested.add(requestKey(target.url, jar));
  const outcome = await pages.fetchPage({ ...request, url: href, ...NO_VALIDATORS }, signal);
  if (outcome.kind !== 'page') return null;
  return outcome.finalUrl === href || !requested.has(keyOf(outcome.finalUrl, jar)) ? outcome : null;
};

const mayLoadOf =
  ({ mayLoad }: PageRequest, url: string) =>
  async (wanted: string): Promise<boolean> => {
    const target = URL.parse(wanted);
    if (mayLoad === undefined || target === null || !sameSite(target, new URL(url))) return true;
    return mayLoad(wanted);
  };

/** The validators belong to the server's response, which may stay the same when scripts produce another page. */
const withHtml = (page: FetchedPage, html: Uint8Array): FetchedPage => ({
  ...page,
  mediaType: 'text/html',
  charset: 'utf-8',
  body: html,
  etag: null,
  lastModified: null,
});

/** Elements, handlers and URLs that run scripts; without any of them a browser shows what the server sent. */
const SCRIPTS = /<(?:[\w-]+:)?script\b|\son[a-z]+\s*=|javascript:|<iframe\b[^>]*\ssrcdoc/i;

/** Whether scripts may change the page. Always true for wide encodings. */
export const hasScripts = (body: Uint8Array): boolean =>
  body.subarray(0, 1_024).includes(0) || SCRIPTS.test(new TextDecoder('latin1').decode(body));
