import { admit, parseCrawlUrl } from '../../../domain/crawl/crawl-scope.ts';
import type { AdmittedPage, PendingPage } from '../../ports/crawl-frontier.ts';
import type { Crawl } from './crawl-deps.ts';

/** The links of a page at `depth` that the crawl may visit. */
export const linksToAdmit = (
  crawl: Crawl,
  links: readonly string[],
  depth: number,
): readonly AdmittedPage[] => {
  if (depth >= crawl.scope.maxDepth) return [];
  return links.flatMap((link) => {
    const parsed = parseCrawlUrl(link);
    if (!parsed.ok) return [];
    const url = crawl.spellings.of(parsed.url);
    return admit(crawl.scope, url, depth + 1, 0).admitted ? [{ url: url.href, depth: depth + 1 }] : [];
  });
};

/** The earlier links of a page that cannot be read now: the pages behind it still exist. */
export const knownLinks = (crawl: Crawl, { links, depth }: PendingPage): readonly AdmittedPage[] =>
  // The target of a redirect has the depth of the page itself, so that links of the deepest pages stay in scope.
  linksToAdmit(crawl, links, Math.min(depth, crawl.scope.maxDepth - 1));
