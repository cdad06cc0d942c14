import type { Crawl } from './crawl-deps.ts';
import type { Fetched } from './fetch-stage.ts';

/** Where the start URL really leads: after a redirect to another site, that is the site of the crawl. */
export const startOfSite = (crawl: Crawl, batch: readonly Fetched[]): void => {
  for (const { owed, outcome } of batch) {
    if (owed.depth > 0 || !('finalUrl' in outcome) || owed.url !== crawl.parameters.startUrl) continue;
    crawl.scope = { ...crawl.scope, start: new URL(outcome.finalUrl) };
  }
};
