import type { AdmittedPage } from '../../ports/crawl-frontier.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Visit } from './visit.ts';

/**
 * Records visits: first the facts about documents, then the frontier, in one transaction with the links. A crash in
 * between leaves the pages owed; visited again they change nothing, because their facts are already so. Answers the
 * pages that this generation has not known before; `withLinks` false: none is admitted.
 */
export const commit = async (
  { frontier }: CrawlDeps,
  crawl: Crawl,
  visits: readonly Visit[],
  withLinks: boolean,
): Promise<readonly AdmittedPage[]> => {
  const all = dedupe(visits.flatMap((visit) => (visit.also === undefined ? [visit] : [visit, visit.also])));
  const facts = all.flatMap(({ document }) => document ?? []);
  const recorded = await crawl.documents.record(facts);
  const same = new Set(facts.filter((_, i) => recorded[i]?.same).map(({ locator }) => locator));
  const pages = all.map(({ document, page }) =>
    document !== null && same.has(document.locator) && page.outcome === 'indexed'
      ? { ...page, outcome: 'unchanged' as const }
      : page,
  );
  crawl.job.stillOurs();
  const here = new Set(pages.map(({ url }) => url));
  const found = withLinks
    ? all.flatMap(({ links, instead = [] }) => (crawl.followsLinks ? links : instead))
    : [];
  const links = found.filter(({ url }) => !here.has(url));
  return frontier.commit(crawl.run, pages, links);
};

/** Two URLs of a batch may redirect to the same page. */
const dedupe = (visits: readonly Visit[]): readonly Visit[] => [
  ...new Map(visits.map((visit) => [visit.page.url, visit])).values(),
];
