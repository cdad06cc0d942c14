import { otherSpellings, unifiedUrl } from '../../../domain/crawl/unified-url.ts';
import type { CrawlFrontier } from '../../ports/crawl-frontier.ts';

/** The spellings of URLs in one crawl: a page never becomes two documents because links spell its URL differently. */
export interface Spellings {
  /**
   * The URL of `url` in this crawl: the one that it has as a document, else its unified URL. Documents of crawls that
   * knew no unified URLs keep theirs.
   */
  readonly of: (url: URL) => URL;
  /** Reads which of `urls` have a twin among the documents. Call it before `twinOf`. */
  readonly look: (urls: readonly string[]) => Promise<void>;
  /**
   * The document that has the same text under another spelling of `url` (see `otherSpellings`); null: `url` itself is the
   * document from now on.
   */
  readonly twinOf: (url: string, content: ContentHashes) => string | null;
}

export interface ContentHashes {
  readonly textSha256: string;
  readonly rawSha256: string;
}

/** With `no_canonical_check`. */
const AS_WRITTEN: Spellings = { of: (url) => url, look: async () => {}, twinOf: () => null };

export const openSpellings = async (
  frontier: Pick<CrawlFrontier, 'documents' | 'documentsAt'>,
  dataSourceId: string,
  { startUrl, noCanonicalCheck }: { readonly startUrl: string; readonly noCanonicalCheck: boolean },
): Promise<Spellings> => {
  if (noCanonicalCheck) return AS_WRITTEN;
  const documents = new Set(await frontier.documents(dataSourceId));
  const spelt = new Map<string, string>();
  for (const url of [startUrl, ...documents]) {
    const unified = unifiedUrl(new URL(url)).href;
    if (unified !== url && !documents.has(unified) && !spelt.has(unified)) spelt.set(unified, url);
  }
  const stored = new Map<string, string>();
  const claimed = new Map<string, string>();
  return {
    of: (url) => {
      const unified = unifiedUrl(url);
      const known = spelt.get(unified.href);
      return known === undefined ? unified : new URL(known);
    },
    look: async (urls) => {
      const spellings = new Set(urls.flatMap((url) => [url, ...otherSpellings(new URL(url))]));
      for (const { url, sha256 } of await frontier.documentsAt(dataSourceId, [...spellings]))
        stored.set(url, sha256);
    },
    twinOf: (url, { textSha256, rawSha256 }) => {
      const others = otherSpellings(new URL(url));
      const first = [url, ...others]
        .map((one) => claimed.get(`${one} ${textSha256}`))
        .find((one) => one !== undefined);
      if (first !== undefined && first !== url) return first;
      const isSame = (other: string): boolean => [textSha256, rawSha256].includes(stored.get(other) ?? '');
      const twin = stored.has(url) ? undefined : others.find(isSame);
      if (twin !== undefined) return twin;
      claimed.set(`${url} ${textSha256}`, url);
      return null;
    },
  };
};
