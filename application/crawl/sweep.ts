import { source } from '../../domain/source/index.ts';
import { sourceStream } from '../streams.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';

const AT_ONCE = 100;

/** After a complete pass: removes the documents that it did not come by. */
export const sweepUnseen = async (
  { execute, frontier, clock }: CrawlDeps,
  crawl: Crawl,
  signal: AbortSignal,
): Promise<void> => {
  const { job_id, generation } = crawl.job.job;
  for (;;) {
    signal.throwIfAborted();
    const unseen = await frontier.unseen(crawl.run, AT_ONCE);
    if (unseen.length === 0) return;
    const command = { type: 'remove', reason: 'not_seen', job_id, generation, at: clock.now() } as const;
    await Promise.all(
      unseen.map(async ({ source_id }) => {
        const { position } = await execute(source, sourceStream(source_id), command, crawl.job.context);
        if (position > crawl.written) crawl.written = position;
      }),
    );
    await frontier.forget(
      crawl.run.data_source_id,
      unseen.map(({ url }) => url),
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
