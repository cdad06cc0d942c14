import type {
  FetchOutcome,
  FetchedPage,
  PageFetcher,
  SitemapReader,
} from '../../application/ports/page-fetcher.ts';
import { decodeText } from '../../application/ports/text-decoding.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-scope.ts';
import { BodyTooLarge, ContentCodingBroken, decodeContent } from './content-headers.ts';
import { Parser } from 'htmlparser2';

/** Limits of sitemaps.org; the byte limit is lower, since a sitemap is only a hint. */
const MAX_URLS = 50_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 50;
const MAX_NESTING = 2;

interface PendingFile {
  readonly url: string;
  /** Number of index files above it. */
  readonly nesting: number;
}

export const createSitemapReader = (pages: PageFetcher): SitemapReader => ({
  readSitemaps: async (sitemaps, { maxUrls = MAX_URLS, mayFetch, guessed = false, patienceMs }, signal) => {
    const bound = Math.min(maxUrls, MAX_URLS);
    const patience = patienceMs === undefined ? {} : { patienceMs };
    const found = new Set<string>();
    let complete = true;
    const asked = new Set<string>();
    const pending: PendingFile[] = sitemaps.map((url) => ({ url, nesting: 0 }));
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (found.size >= bound || asked.size >= MAX_FILES) break;
      if (asked.has(next.url) || (await mayFetch?.(next.url)) === false) continue;
      asked.add(next.url);
      const isGuess = guessed && next.nesting === 0;
      const outcome = await pages.fetchPage(
        { url: next.url, maxBytes: MAX_BYTES, ...(mayFetch && { mayFollow: mayFetch }), ...patience },
        signal,
      );
      const text = outcome.kind === 'page' ? await textOf(outcome) : null;
      if (outcome.kind !== 'page' || text === null) {
        complete &&= isGuess ? !isTransient(outcome) : isGone(outcome);
        continue;
      }
      const file = await parseSitemap(text, outcome.finalUrl, bound - found.size);
      complete &&= file.recognised || isGuess;
      for (const url of file.pages) found.add(url);
      if (next.nesting >= MAX_NESTING) continue;
      for (const url of file.sitemaps) pending.push({ url, nesting: next.nesting + 1 });
    }
    return { urls: [...found], complete };
  },
});

const isTransient = (outcome: FetchOutcome): boolean => outcome.kind === 'failed' && outcome.transient;

/** A missing sitemap counts as empty. */
const isGone = (outcome: FetchOutcome): boolean =>
  outcome.kind === 'failed' && (outcome.status === 404 || outcome.status === 410);

/**
 * A `.xml.gz` file is gzip, in addition to any content coding. Null when it cannot be decompressed within the limits.
 */
const textOf = async ({ body, charset }: FetchedPage): Promise<string | null> => {
  try {
    const isGzip = body[0] === 0x1f && body[1] === 0x8b;
    const xml = isGzip ? await decodeContent(Buffer.from(body), 'gzip', MAX_BYTES) : body;
    return decodeText(xml, { contentTypeCharset: charset, html: true }, () => null).text;
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof ContentCodingBroken) return null;
    throw error;
  }
};

interface SitemapFile {
  /** URLs of pages in a sitemap. */
  readonly pages: readonly string[];
  /** URLs of sitemaps in an index. */
  readonly sitemaps: readonly string[];
  /** Whether the file is a sitemap at all, perhaps an empty one; false for an error page in its place. */
  readonly recognised: boolean;
}
type Kind = 'pages' | 'sitemaps';

/** A sitemap is three levels deep. The cost of the parser grows with the square of the depth. */
const MAX_DEPTH = 16;
const SLICE_CHARACTERS = 256 * 1024;

/** The root element of a sitemap or an index, or the first URL of a text file. */
const ROOT = /^\s*(?:https?:|(?:<[?!][^>]*>\s*)*<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>/])/i;

class ParsingStopped extends Error {
  override readonly name = 'ParsingStopped';
}

/**
 * Reads a sitemap, an index of sitemaps, or a text file of URLs (sitemaps.org). Expands only the five entities of XML.
 * Reads large files in slices, so that other work runs in between.
 *
 * @param baseUrl URL of the file
 * @param maxUrls maximum number of URLs to read
 */
const parseSitemap = async (text: string, baseUrl: string, maxUrls: number): Promise<SitemapFile> => {
  const found = { pages: new Set<string>(), sitemaps: new Set<string>() };
  const add = (kind: Kind, written: string): void => {
    const parsed = parseCrawlUrl(written.trim(), baseUrl);
    if (parsed.ok) found[kind].add(parsed.url.href);
    if (found.pages.size + found.sitemaps.size >= maxUrls) throw new ParsingStopped('enough');
  };
  try {
    if (/^\s*</.test(text)) await parseXml(text, add);
    else for (const line of text.split(/\r\n|\r|\n/)) if (/^\s*https?:/i.test(line)) add('pages', line);
  } catch (error) {
    // The URLs before the limit, or before the point where the file stops being a sitemap, are still useful hints.
    if (!(error instanceof ParsingStopped)) throw error;
  }
  return { pages: [...found.pages], sitemaps: [...found.sitemaps], recognised: ROOT.test(text) };
};

const parseXml = async (text: string, add: (kind: Kind, url: string) => void): Promise<void> => {
  let depth = 0;
  let parent: Kind | null = null;
  let prefix = '';
  let location: string | null = null;
  const parser = new Parser(
    {
      onopentagname: (qualified) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new ParsingStopped('too deep');
        const name = localName(qualified);
        if (name === 'url') parent = 'pages';
        if (name === 'sitemap') parent = 'sitemaps';
        if (name === 'url' || name === 'sitemap') prefix = prefixOf(qualified);
        // Images and videos of a page also have a `loc`, in another namespace.
        location = name === 'loc' && prefixOf(qualified) === prefix ? '' : null;
      },
      ontext: (data) => {
        if (location !== null) location += data;
      },
      onclosetag: (qualified) => {
        depth -= 1;
        if (location !== null && parent !== null && localName(qualified) === 'loc') add(parent, location);
        location = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
    parser.write(text.slice(start, start + SLICE_CHARACTERS));
    await new Promise(setImmediate);
  }
  parser.end();
};

const prefixOf = (qualified: string): string => qualified.slice(0, qualified.indexOf(':') + 1);
const localName = (qualified: string): string => qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
