import type {
  FetchedPage,
  PageFetcher,
  FetchOutcome,
  SitemapReader,
} from '../../application/ports/page-fetcher.ts';
import { decodeText } from '../../application/ports/text-decoding.ts';
import { detectCharset } from './charset.ts';
import { BodyTooLarge, ContentCodingBroken, decodeContent } from './content-coding.ts';
import { parseSitemap } from './sitemap-xml.ts';

/** Bounds of sitemaps.org; the bytes are fewer, since a sitemap is only a hint. */
const MAX_URLS = 50_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 50;
const MAX_NESTING = 2;

interface Owed {
  readonly url: string;
  /** Index files above it. */
  readonly nesting: number;
}

export const createSitemapReader = (pages: PageFetcher): SitemapReader => ({
  readSitemaps: async (sitemaps, { maxUrls = MAX_URLS, mayFetch }, signal) => {
    const bound = Math.min(maxUrls, MAX_URLS);
    const found = new Set<string>();
    let complete = true;
    const asked = new Set<string>();
    const owed: Owed[] = sitemaps.map((url) => ({ url, nesting: 0 }));
    for (let next = owed.shift(); next !== undefined; next = owed.shift()) {
      if (found.size >= bound || asked.size >= MAX_FILES) break;
      if (asked.has(next.url) || (await mayFetch?.(next.url)) === false) continue;
      asked.add(next.url);
      const outcome = await pages.fetchPage(
        { url: next.url, maxBytes: MAX_BYTES, ...(mayFetch && { mayFollow: mayFetch }) },
        signal,
      );
      const text = outcome.kind === 'page' ? await textOf(outcome) : null;
      if (outcome.kind !== 'page' || text === null) {
        complete &&= isGone(outcome);
        continue;
      }
      const file = await parseSitemap(text, outcome.finalUrl, bound - found.size);
      complete &&= file.recognised;
      for (const url of file.pages) found.add(url);
      if (next.nesting >= MAX_NESTING) continue;
      for (const url of file.sitemaps) owed.push({ url, nesting: next.nesting + 1 });
    }
    return { urls: [...found], complete };
  },
});

/** What is not there names nothing. */
const isGone = (outcome: FetchOutcome): boolean =>
  outcome.kind === 'failed' && (outcome.status === 404 || outcome.status === 410);

/** A `.xml.gz` is gzip as a file, beside any content coding. Null where it cannot be unpacked within bounds. */
const textOf = async ({ body, charset }: FetchedPage): Promise<string | null> => {
  try {
    const isGzip = body[0] === 0x1f && body[1] === 0x8b;
    const xml = isGzip ? await decodeContent(Buffer.from(body), 'gzip', MAX_BYTES) : body;
    return decodeText(xml, { contentTypeCharset: charset, html: true }, detectCharset).text;
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof ContentCodingBroken) return null;
    throw error;
  }
};
