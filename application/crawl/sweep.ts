import { source } from '../../domain/source/index.ts';
import type { PageOfSource } from '../ports/crawl-frontier.ts';
import { sourceStream } from '../streams.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';

const AT_ONCE = 100;

/**
 * Removes the documents that the pass did not come by. After one that was cut short, only those whose page turned out
 * to be none any more, and as many of the others as lie beyond `max_num_files`.
 */
export const sweepUnseen = async (
  deps: CrawlDeps,
  crawl: Crawl,
  complete: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const { frontier } = deps;
  const { run, parameters } = crawl;
  await removeAll(deps, crawl, signal, () => frontier.unseen(run, complete ? 'whole' : 'cut', AT_ONCE));
  if (!complete) {
    await removeAll(deps, crawl, signal, () => frontier.surplus(run, parameters.max_num_files, AT_ONCE));
  }
};

const removeAll = async (
  { execute, frontier, clock }: CrawlDeps,
  crawl: Crawl,
  signal: AbortSignal,
  next: () => Promise<readonly PageOfSource[]>,
): Promise<void> => {
  const { job_id, generation } = crawl.job.job;
  for (;;) {
    signal.throwIfAborted();
    const pages = await next();
    if (pages.length === 0) return;
    const command = { type: 'remove', reason: 'not_seen', job_id, generation, at: clock.now() } as const;
    await Promise.all(
      pages.map(async ({ source_id }) => {
        const { position } = await execute(source, sourceStream(source_id), command, crawl.job.context);
        if (position > crawl.written) crawl.written = position;
      }),
    );
    await frontier.forget(
      crawl.run,
      pages.map(({ url }) => url),
    );
  }
};

/**
 * Deletes the files that no readable document refers to any more: former versions, and what was left out. Only once
 * the catalog has followed, and nothing written since the attempt began: another batch may still be naming it.
 */
export const sweepFiles = async ({ catalog, files }: CrawlDeps, { run, job }: Crawl): Promise<void> => {
  const keep = await catalog.filesOf(run.data_source_id);
  await files.sweep(run.data_source_id, keep, job.job.claimed_at ?? 0);
};
