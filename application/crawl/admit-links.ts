import { admit } from '../../domain/crawl/crawl-scope.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-url.ts';
import type { AdmittedPage } from '../ports/crawl-frontier.ts';
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
