import { mostAdmitted, mostVisits } from '../../../domain/crawl/crawl-bounds.ts';
import type { JobCounts } from '../../../domain/data-source/index.ts';
import type { OwedPage } from '../../ports/crawl-frontier.ts';
import { commit } from './commit-stage.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { visitsOf } from './extract-stage.ts';
import { type Fetched, fetchOwed } from './fetch-stage.ts';
import { createFetchedPages } from './fetched-pages.ts';
import { startOfSite } from './site-start.ts';

/** Batches that are extracted and committed at once. */
const BATCHES = 3;
/** Owed pages read from the frontier at a time. */
const REFILL = 400;

export interface Visited {
  readonly counts: JobCounts;
  /** False: a bound ended the crawl, so that pages are left which nobody looked at. */
  readonly complete: boolean;
}

/**
 * Visits every owed page: fetching, extracting and committing overlap, and what is committed leads to more. Ends when
 * nothing is owed, `max_num_files` documents are stored, or a bound of `crawl-bounds.ts` is reached.
 *
 * @throws the reason of `signal`, WorkLost, or what the stores throw; every task has settled by then
 */
export const visitAll = async (deps: CrawlDeps, crawl: Crawl, outer: AbortSignal): Promise<Visited> => {
  const broken = new AbortController();
  const signal = AbortSignal.any([outer, broken.signal]);
  const tasks = new Set<Promise<void>>();
  const inHand = new Set<string>();
  let buffer: OwedPage[] = [];
  const fetched = createFetchedPages();
  let [fetching, batches] = [0, 0];
  /** How many batches were committed, and how many of them when nothing was owed: each may lead to more. */
  let [commits, emptyAfter] = [0, -1];
  const { frontier } = deps;
  const maxFiles = Math.max(crawl.parameters.maxNumFiles, crawl.job.job.locators?.length ?? 0);
  let counts = await frontier.counts(crawl.run);
  let admitted = await frontier.admitted(crawl.run);
  let counting = Promise.resolve();
  /** One after the other: a count that began before another must not be taken for the newer one. */
  const countAfter = async (before: Promise<void>): Promise<void> => {
    await before;
    counts = await frontier.counts(crawl.run);
  };

  const start = (task: Promise<void>): void => {
    const settled: Promise<void> = task
      .catch((error: unknown) => broken.abort(error))
      .finally(() => tasks.delete(settled));
    tasks.add(settled);
  };
  const fetchOne = async (owed: OwedPage): Promise<void> => {
    fetching += 1;
    try {
      fetched.add(await fetchOwed(deps, crawl, owed, signal));
    } finally {
      fetching -= 1;
    }
  };
  const commitBatch = async (batch: readonly Fetched[]): Promise<void> => {
    batches += 1;
    try {
      startOfSite(crawl, batch);
      const visits = await visitsOf(deps, crawl, batch, signal);
      signal.throwIfAborted();
      admitted += (await commit(deps, crawl, visits, admitted < mostAdmitted(maxFiles))).length;
      counting = countAfter(counting);
      await counting;
      for (const { owed } of batch) inHand.delete(owed.url);
      commits += 1;
      await crawl.job.progress(counts);
    } finally {
      batches -= 1;
    }
  };
  /** Documents that are stored, or may be once everything in hand is. */
  const spent = (): number => counts.indexed + counts.unchanged + inHand.size - buffer.length;
  const visits = (): number => counts.seen + inHand.size - buffer.length;
  const room = (): boolean => spent() < maxFiles && visits() < mostVisits(maxFiles);
  /** Less than a whole batch goes when the readers would have nothing to do, or when nothing is left to fetch. */
  const mayCommit = (): boolean =>
    fetched.count() > 0 && batches < BATCHES && (fetched.isBatch() || batches === 0 || fetching === 0);

  try {
    for (;;) {
      signal.throwIfAborted();
      if (buffer.length === 0 && emptyAfter !== commits) {
        const after = commits;
        buffer = [...(await frontier.owed(crawl.run, REFILL, [...inHand]))];
        if (buffer.length === 0) emptyAfter = after;
        for (const { url } of buffer) inHand.add(url);
      }
      while (buffer.length > 0 && fetching < deps.fetches && fetched.hasRoom() && room()) {
        start(fetchOne(buffer.shift() as OwedPage));
      }
      while (mayCommit()) start(commitBatch(fetched.take()));
      if (tasks.size > 0) await Promise.race(tasks);
      else if (buffer.length > 0 && !room()) return { counts, complete: false };
      else if (buffer.length === 0 && emptyAfter === commits && fetched.count() === 0) {
        const returned = await frontier.returnDuplicates(crawl.run);
        if (returned === 0) return { counts, complete: admitted < mostAdmitted(maxFiles) };
        emptyAfter = -1;
      }
    }
  } finally {
    broken.abort(new Error('the crawl has ended'));
    await Promise.all(tasks);
  }
};
