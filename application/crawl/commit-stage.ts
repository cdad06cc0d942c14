import { source } from '../../domain/source/index.ts';
import type { AdmittedPage } from '../ports/crawl-frontier.ts';
import { sourceStream } from '../streams.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Visit } from './visit.ts';

/**
 * Records visits: first the facts about documents, then the frontier, in one transaction with the links. A crash in
 * between leaves the pages owed; visited again they change nothing, because their facts are already so. Answers the
 * pages that this generation has not known before; `withLinks` false: none is admitted.
 */
export const commit = async (
  { execute, frontier }: CrawlDeps,
  crawl: Crawl,
  visits: readonly Visit[],
  withLinks: boolean,
): Promise<readonly AdmittedPage[]> => {
  crawl.job.stillOurs();
  const all = dedupe(visits.flatMap((visit) => (visit.also === undefined ? [visit] : [visit, visit.also])));
  const pages = await Promise.all(
    all.map(async ({ document, page }) => {
      if (document === null) return page;
      const stream = sourceStream(document.source_id);
      const { events, state, position } = await execute(source, stream, document.command, crawl.job.context, {
        probablyNew: document.firstSeen,
      });
      if (position > crawl.written) crawl.written = position;
      // Read afresh, and found to be what an earlier job had stored.
      const same =
        events.length === 0 && state.status === 'indexed' && state.generation < crawl.run.generation;
      return same && page.outcome === 'indexed' ? { ...page, outcome: 'unchanged' as const } : page;
    }),
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
