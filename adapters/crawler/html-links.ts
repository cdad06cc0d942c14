import type { PageFacts } from '../../application/ports/page-reader.ts';
import { MAX_URL_LENGTH, parseCrawlUrl } from '../../domain/crawl/crawl-url.ts';
import { scanElements } from './html-elements.ts';
import type { Attributes } from './html-elements.ts';
import { parseDirectives } from './robots-directives.ts';

/** Characters of markup that are read: some 100 ms at most. Links beyond are not seen. */
const MAX_CHARACTERS = 2_000_000;
const MAX_LINKS = 10_000;
const MAX_TITLE = 500;

const ELEMENTS: ReadonlySet<string> = new Set(['a', 'area', 'frame', 'iframe', 'base', 'link', 'meta']);
const ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src', 'rel', 'name', 'content', 'http-equiv']);
/** Not worth resolving; `//host` and `?query` do not match. */
const NO_PAGE = /^(?:#|(?!https?:)[a-z][a-z0-9+.-]*:)/i;

/** What a page says beyond its text, as written. */
interface Markup {
  readonly hrefs: Set<string>;
  base: string | null;
  canonical: string | null;
  refresh: string | null;
  noindex: boolean;
  nofollow: boolean;
}

/**
 * Links and crawl directives of an HTML page, in one pass over its tags.
 *
 * @param pageUrl absolute URL of the page
 * @param robot product token by which a robots meta may address us
 */
export const readHtmlLinks = (html: string, pageUrl: string, robot: string): Omit<PageFacts, 'encoding'> => {
  const markup: Markup = {
    hrefs: new Set(),
    base: null,
    canonical: null,
    refresh: null,
    noindex: false,
    nofollow: false,
  };
  let title = '';
  scanElements(html.slice(0, MAX_CHARACTERS), {
    elements: ELEMENTS,
    attributes: ATTRIBUTES,
    onElement: (name, attributes) => readElement(markup, name, attributes, robot),
    onTitle: (text) => {
      if (title.length < 10 * MAX_TITLE) title += text.slice(0, 10 * MAX_TITLE);
    },
  });
  // The base element counts for the whole document, whatever stands before it (WHATWG HTML, "document base URL").
  const base = resolve(markup.base, pageUrl) ?? pageUrl;
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE),
    links: resolveAll(markup.hrefs, base),
    canonical: resolve(markup.canonical, base),
    refresh: resolve(markup.refresh, base),
    noindex: markup.noindex,
    nofollow: markup.nofollow,
  };
};

const readElement = (markup: Markup, name: string, attributes: Attributes, robot: string): void => {
  switch (name) {
    case 'a':
    case 'area':
      if (!relOf(attributes).includes('nofollow')) addHref(markup, attributes.get('href'));
      return;
    case 'frame':
    case 'iframe':
      return addHref(markup, attributes.get('src'));
    case 'base':
      markup.base ??= attributes.get('href') ?? null;
      return;
    case 'link':
      if (relOf(attributes).includes('canonical')) markup.canonical ??= attributes.get('href') ?? null;
      return;
    case 'meta':
      return readMeta(markup, attributes, robot);
  }
};

const relOf = (attributes: Attributes): readonly string[] =>
  attributes.get('rel')?.toLowerCase().split(/\s+/) ?? [];

const addHref = ({ hrefs }: Markup, href: string | undefined): void => {
  const text = href?.trim();
  if (text === undefined || text === '' || text.length > MAX_URL_LENGTH || NO_PAGE.test(text)) return;
  if (hrefs.size < MAX_LINKS) hrefs.add(text);
};

const readMeta = (markup: Markup, attributes: Attributes, robot: string): void => {
  const content = attributes.get('content') ?? '';
  const name = attributes.get('name')?.toLowerCase();
  if (name === 'robots' || name === robot) {
    const { noindex, nofollow } = parseDirectives(content);
    markup.noindex ||= noindex;
    markup.nofollow ||= nofollow;
  }
  if (attributes.get('http-equiv')?.toLowerCase() === 'refresh') markup.refresh ??= refreshTarget(content);
};

/** `5; url='next.html'` in the forms that browsers accept; null for a page that only reloads itself. */
const refreshTarget = (content: string): string | null => {
  const target = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:'([^']*)|"([^"]*)|(.*))/is.exec(
    content.slice(0, MAX_URL_LENGTH),
  );
  const found = (target?.[1] ?? target?.[2] ?? target?.[3] ?? '').trim();
  return found === '' ? null : found;
};

const resolve = (href: string | null, base: string): string | null => {
  if (href === null) return null;
  const parsed = parseCrawlUrl(href.trim(), base);
  return parsed.ok ? parsed.url.href : null;
};

const resolveAll = (hrefs: Iterable<string>, base: string): readonly string[] => {
  const links = new Set<string>();
  for (const href of hrefs) {
    const link = resolve(href, base);
    if (link !== null) links.add(link);
  }
  return [...links];
};
