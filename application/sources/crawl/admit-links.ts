import { admit, parseCrawlUrl } from '../../../domain/crawl/crawl-scope.ts';
import type { AdmittedPage, PendingPage } from '../../ports/crawl-frontier.ts';
import type { Crawl } from './crawl-deps.ts';

/** Those links of a page at `depth` that the crawl may visit. */
export const linksToAdmit = (
  crawl: Crawl,
  links: readonly string[],
  depth: number,
): readonly AdmittedPage[] => {
  if (depth >= crawl.scope.maxDepth) return [];
  return links.flatMap((link) => {
    const parsed = parseCrawlUrl(link);
    const admitted = parsed.ok && admit(crawl.scope, parsed.url, depth + 1, 0).admitted;
    return admitted ? [{ url: parsed.url.href, depth: depth + 1 }] : [];
  });
};

/** Where a page that cannot be read now led before: what lies behind it is not gone because of that. */
export const knownLinks = (crawl: Crawl, { links, depth }: PendingPage): readonly AdmittedPage[] =>
  // The target of a redirect is as near as the page itself, so that the deepest pages may lead on too.
  linksToAdmit(crawl, links, Math.min(depth, crawl.scope.maxDepth - 1));
