import { parseCrawlUrl } from '../../../domain/crawl/crawl-url.ts';
import type { PageFacts } from '../../../application/ports/document-reader.ts';
import type { Attributes } from './tags.ts';

const MAX_LINKS = 10_000;
const MAX_TITLE_CHARACTERS = 500;

/** Gathers what a page says about itself and where it leads. */
export interface FactReader {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** Whether the text belongs to the title, and so not to the content. */
  text(data: string): boolean;
  /** What relative addresses start from, as far as it has been read. */
  base(): string | null;
  finish(): Omit<PageFacts, 'encoding' | 'needsScripts'> & {
    readonly language: string | null;
    readonly isArticle: boolean;
  };
}

export const createFactReader = (finalUrl: string | null, robotName: string | null): FactReader => {
  const hrefs = new Set<string>();
  const meta = new Map<string, string>();
  const robots: string[] = [];
  let title: string | null = null;
  let inTitle = false;
  let base: string | null = null;
  let canonical: string | null = null;
  let refresh: string | null = null;
  let language: string | null = null;
  let articles = 0;
  let hasMain = false;

  const readMeta = (attributes: Attributes): void => {
    const content = attributes.content?.trim() ?? '';
    const name = (attributes.name ?? attributes.property ?? '').trim().toLowerCase();
    if (name === 'robots' || (name !== '' && name === robotName)) robots.push(content.toLowerCase());
    else if (name !== '' && !meta.has(name)) meta.set(name, content);
    if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh') refresh ??= refreshTarget(content);
  };
  const addLink = (target: string | undefined, rel: string | undefined): void => {
    if (target === undefined || hrefs.size >= 2 * MAX_LINKS || target.startsWith('#')) return;
    if (rel === undefined || !hasToken(rel, 'nofollow')) hrefs.add(target.trim());
  };

  const start = (): string | null => resolve(base, finalUrl) ?? finalUrl;

  const readers = new Map<string, (attributes: Attributes) => void>(
    Object.entries({
      a: ({ href, rel }) => addLink(href, rel),
      area: ({ href, rel }) => addLink(href, rel),
      frame: ({ src }) => addLink(src, undefined),
      iframe: ({ src }) => addLink(src, undefined),
      meta: readMeta,
      link: ({ href, rel }) => {
        if (rel !== undefined && hasToken(rel, 'canonical')) canonical ??= href ?? null;
      },
      base: ({ href }) => {
        base ??= href ?? null;
      },
      html: ({ lang }) => {
        language ??= lang ?? null;
      },
      title: () => {
        inTitle = title === null;
        title ??= '';
      },
      article: () => {
        articles += 1;
      },
      main: () => {
        hasMain = true;
      },
    }),
  );

  return {
    open: (name, attributes) => readers.get(name)?.(attributes),
    close: (name) => {
      if (name === 'title') inTitle = false;
    },
    text: (data) => {
      if (inTitle) title += data;
      return inTitle;
    },
    base: start,
    finish: () => {
      const from = start();
      return {
        title: oneLine(title) || oneLine(meta.get('og:title') ?? null),
        description: oneLine(meta.get('description') || (meta.get('og:description') ?? null), 1_000),
        links: resolveAll(hrefs, from),
        canonical: resolve(canonical, from),
        refresh: resolve(refresh, from),
        noindex: robots.some((content) => forbids(content, 'noindex')),
        nofollow: robots.some((content) => forbids(content, 'nofollow')),
        language: languageTag(language),
        isArticle: meta.get('og:type') === 'article' || (articles > 0 && !hasMain),
      };
    },
  };
};

const hasToken = (list: string, token: string): boolean => list.toLowerCase().split(/\s+/).includes(token);

/** Directives as search engines define them for the robots meta element: a list by comma; `none` is both. */
const forbids = (content: string, directive: string): boolean => {
  const directives = content.split(',').map((part) => part.trim());
  return directives.includes(directive) || directives.includes('none');
};

/** `5; url='next.html'`, as WHATWG HTML reads the content of a refresh. */
const refreshTarget = (content: string): string | null => {
  const target = /^[\d.]*[\s;,]*(?:url\s*=\s*)?(.*)$/is.exec(content)?.[1] ?? '';
  return target.replaceAll(/^["']|["']$/g, '').trim() || null;
};

const resolve = (target: string | null, base: string | null): string | null => {
  if (target === null) return null;
  const parsed = parseCrawlUrl(target, base ?? undefined);
  return parsed.ok ? parsed.url.href : null;
};

const resolveAll = (hrefs: Iterable<string>, base: string | null): string[] => {
  const links = new Set<string>();
  for (const href of hrefs) {
    if (links.size >= MAX_LINKS) break;
    const link = resolve(href, base);
    if (link !== null) links.add(link);
  }
  return [...links];
};

const oneLine = (text: string | null, most = MAX_TITLE_CHARACTERS): string =>
  (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, most);

const languageTag = (tag: string | null): string | null => {
  const trimmed = tag?.trim() ?? '';
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(trimmed) ? trimmed : null;
};
