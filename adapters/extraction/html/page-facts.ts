import type { PageFacts } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { parseCrawlUrl } from '../../../domain/crawl/crawl-scope.ts';
import { queryInEncoding } from './query-encoding.ts';
import type { Attributes } from './tags.ts';

const MAX_LINKS = 10_000;
const MAX_TITLE_CHARACTERS = 500;

/** Collects the metadata of a page and its links. */
export interface FactReader {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** Whether the text belongs to the title, and so not to the content. */
  text(data: string): boolean;
  /** The base of relative URLs, as far as it has been read. */
  base(): string | null;
  finish(): Omit<PageFacts, 'encoding' | 'needsScripts'> & {
    readonly language: string | null;
    readonly isArticle: boolean;
  };
}

export const createFactReader = (
  finalUrl: string | null,
  robotName: string | null,
  encoding = 'utf-8',
): FactReader => {
  const resolve = (target: string | null, from: string | null): string | null =>
    resolveIn(encoding, target, from);
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
        links: resolveAll(hrefs, (href) => resolve(href, from)),
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

/** Directives of the robots meta element as search engines define them: a comma-separated list; `none` means both. */
const forbids = (content: string, directive: string): boolean => {
  const directives = content.split(',').map((part) => part.trim());
  return directives.includes(directive) || directives.includes('none');
};

/** Parses `5; url='next.html'` as WHATWG HTML does for a refresh. */
const refreshTarget = (content: string): string | null => {
  const target = /^[\d.]*[\s;,]*(?:url\s*=\s*)?(.*)$/is.exec(content)?.[1] ?? '';
  return target.replaceAll(/^["']|["']$/g, '').trim() || null;
};

const resolveIn = (encoding: string, target: string | null, base: string | null): string | null => {
  if (target === null) return null;
  const parsed = parseCrawlUrl(queryInEncoding(target, encoding), base ?? undefined);
  return parsed.ok ? parsed.url.href : null;
};

const resolveAll = (hrefs: Iterable<string>, resolve: (href: string) => string | null): string[] => {
  const links = new Set<string>();
  for (const href of hrefs) {
    if (links.size >= MAX_LINKS) break;
    const link = resolve(href);
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

/** A title, or its last part, that is only a section number. */
const NUMBER_ALONE =
  /(?<=^|:\s|\s[—–|·»-]\s)(?:section|chapter|appendix|part|abschnitt|kapitel|anhang|chapitre|annexe|§)\s*((?:\d{1,4}|[A-Z]|[IVX]{1,8})(?:\.\d{1,4})*)\.?$/iu;
const LETTERS = /\p{L}{2}/u;
const LONGEST = 500;

/**
 * A distinctive title of a page: if the title ends in a bare number (`Manual: Section 4.5`), the first heading of the
 * page replaces that, or follows it when it has another number or none.
 */
export const pageTitle = (title: string, units: readonly TextUnit[]): string => {
  const [alone, number = ''] = NUMBER_ALONE.exec(title) ?? [];
  const heading = units.find(({ headingPath }) => headingPath.length > 0)?.headingPath[0]?.trim() ?? '';
  if (alone === undefined || !LETTERS.test(heading) || NUMBER_ALONE.test(heading)) return title;
  const isNumbered = heading.split(/[\s:]+/, 3).some((word) => word.replace(/\.$/, '') === number);
  const said = isNumbered ? heading : `${alone.replace(/\.$/, '')}: ${heading}`;
  return (title.slice(0, -alone.length) + said).slice(0, LONGEST);
};

/** Detects a page that is a shell filled by its scripts: without scripts it has almost no text. */
interface ScriptShell {
  open(name: string, attributes: Attributes, depth: number): void;
  close(name: string, depth: number): void;
  text(data: string): void;
  /** @param characters length of the page's content */
  finish(characters: number): boolean;
}

/** A page with more text is worth indexing as it is. */
const MAX_CHARACTERS = 200;
/** Shorter texts are not instructions for users. */
const MIN_NOSCRIPT = 15;
/** Ids of root elements in common frameworks. */
const ROOTS = /^(?:root|app|main|__next|__nuxt|___gatsby|svelte|q-app|react-root|app-root|mount)$/i;
const DATA = /json|template|importmap|speculationrules/i;

/** Conservative: requires almost no text, and a sign that the page expects to be filled by scripts. */
export const createScriptShell = (): ScriptShell => {
  let scripts = 0;
  let noscript = 0;
  let advice = 0;
  /** Depth of the open root element that is still empty. */
  let root = 0;
  let emptyRoots = 0;

  return {
    open: (name, attributes, depth) => {
      root = 0;
      if (name === 'script' && !DATA.test(attributes.type ?? '')) scripts += 1;
      else if (name === 'noscript') noscript = depth;
      else if (name === 'app-root' || ROOTS.test(attributes.id ?? '')) root = depth;
    },
    close: (_, depth) => {
      if (depth === root && depth > 0) emptyRoots += 1;
      if (depth === noscript) noscript = 0;
      root = 0;
    },
    text: (data) => {
      const said = data.trim().length;
      if (noscript > 0) advice += said;
      if (said > 0) root = 0;
    },
    finish: (characters) =>
      scripts > 0 && characters <= MAX_CHARACTERS && (emptyRoots > 0 || advice >= MIN_NOSCRIPT),
  };
};
