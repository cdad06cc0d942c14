import { source } from '../../domain/source/index.ts';
import type { PageOfSource } from '../ports/crawl-frontier.ts';
import { sourceStream } from '../streams.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';

const AT_ONCE = 100;

/**
 * How much of the site a pass has looked at: all of it, all but what a sitemap names that could not be had, less, or the
 * pages that it was told alone.
 */
export type Pass = 'whole' | 'without sitemap' | 'cut' | 'told';

/**
 * Removes the documents that the pass did not come by. After one that looked at a part, only those whose page turned out
 * to be none any more; after one that was cut short, also as many of the others as lie beyond `max_num_files`.
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
    await removeAll(deps, crawl, signal, () => frontier.surplus(run, parameters.max_num_files, AT_ONCE));
  }
  if (pass === 'whole') await removeStrays(deps, crawl, signal);
};

/** What only the catalog knows of. Removed once more, where the catalog lags behind, it leads to no event. */
const removeStrays = async (deps: CrawlDeps, crawl: Crawl, signal: AbortSignal): Promise<void> => {
  for (let after: string | null = null; ;) {
    signal.throwIfAborted();
    const ids: readonly string[] = await deps.frontier.strays(crawl.run, after, AT_ONCE);
    await removeDocuments(deps, crawl, ids);
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
    await removeDocuments(
      deps,
      crawl,
      pages.map(({ source_id }) => source_id),
    );
    crawl.job.stillOurs();
    await deps.frontier.forget(
      crawl.run,
      pages.map(({ url }) => url),
    );
  }
};

const removeDocuments = async (
  { execute, clock }: CrawlDeps,
  crawl: Crawl,
  ids: readonly string[],
): Promise<void> => {
  crawl.job.stillOurs();
  const { job_id, generation } = crawl.job.job;
  const command = { type: 'remove', reason: 'not_seen', job_id, generation, at: clock.now() } as const;
  await Promise.all(
    ids.map(async (id) => {
      const { position } = await execute(source, sourceStream(id), command, crawl.job.context);
      if (position > crawl.written) crawl.written = position;
    }),
  );
};

/**
 * Deletes the files that no readable document refers to any more: former versions, and what was left out. Only once
 * the catalog has followed, and nothing written since the attempt began: another batch may still be naming it.
 */
export const sweepFiles = async ({ catalog, files }: CrawlDeps, { run, job }: Crawl): Promise<void> => {
  const keep = await catalog.filesOf(run.data_source_id);
  job.stillOurs();
  await files.sweep(run.data_source_id, keep, job.job.claimed_at ?? 0);
};
