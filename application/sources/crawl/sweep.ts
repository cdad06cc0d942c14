import type { PageOfSource } from '../../ports/crawl-frontier.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';

const AT_ONCE = 100;

/**
 * How much of the site a pass has looked at: all of it, all but what a sitemap names that could not be had, less, or the
 * pages that it was told alone.
 */
export type Pass = 'whole' | 'without sitemap' | 'cut' | 'told';

/**
 * Removes the documents that the pass did not come by. After one that looked at a part, only those whose page turned out
 * to be none any more; after one that was cut short, also as many of the others as lie beyond `maxNumFiles`.
 */
export const sweepUnseen = async (
  deps: CrawlDeps,
  crawl: Crawl,
  pass: Pass,
  signal: AbortSignal,
): Promise<void> => {
  const { frontier } = deps;
  const { run, parameters } = crawl;
  const part = pass === 'cut' || pass === 'told';
  await removeAll(deps, crawl, signal, () => frontier.unseen(run, part ? 'cut' : 'whole', AT_ONCE));
  if (pass === 'cut') {
    await removeAll(deps, crawl, signal, () => frontier.surplus(run, parameters.maxNumFiles, AT_ONCE));
  }
  if (pass === 'whole') await removeStrays(deps, crawl, signal);
};

/** What only the catalog knows of. Removed once more, where the catalog lags behind, it leads to no event. */
const removeStrays = async (deps: CrawlDeps, crawl: Crawl, signal: AbortSignal): Promise<void> => {
  for (let after: string | null = null; ;) {
    signal.throwIfAborted();
    const ids: readonly string[] = await deps.frontier.strays(crawl.run, after, AT_ONCE);
    await crawl.documents.remove(ids, 'not_seen');
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? null;
  }
};

const removeAll = async (
  deps: CrawlDeps,
  crawl: Crawl,
  signal: AbortSignal,
  next: () => Promise<readonly PageOfSource[]>,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const pages = await next();
    if (pages.length === 0) return;
    await crawl.documents.remove(
      pages.map(({ sourceId }) => sourceId),
      'not_seen',
    );
    crawl.job.stillOurs();
    await deps.frontier.forget(
      crawl.run,
      pages.map(({ url }) => url),
    );
  }
};
