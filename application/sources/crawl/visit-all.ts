import { maxAdmitted, maxVisits } from '../../../domain/crawl/crawl-scope.ts';
import type { JobCounts } from '../../../domain/data-source/index.ts';
import type { PendingPage, AdmittedPage } from '../../ports/crawl-frontier.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import { type Fetched, fetchPending, type WithPage } from './fetch-stage.ts';
import type { Visit } from './visit.ts';
import { visitAfter } from '../ingestion/documents.ts';
import type { FoundDocument, ReadOutcome } from '../ingestion/read-documents.ts';
import { visitOfPage, withTextHash } from './visit-of-page.ts';
import { visitWithoutPage } from './visit-without-page.ts';

/**
 * Sets the start of the scope to the target of the start URL: after a redirect to another site, that is the site of the
 * crawl.
 */
export const moveStart = (crawl: Crawl, batch: readonly Fetched[]): void => {
  for (const { pending, outcome } of batch) {
    if (pending.depth > 0 || !('finalUrl' in outcome) || pending.url !== crawl.parameters.startUrl) continue;
    crawl.scope = { ...crawl.scope, start: new URL(outcome.finalUrl) };
  }
};

/**
 * Limits of a batch that is extracted and committed together. Each batch costs a transaction and an index segment, so
 * small pages go by the hundred, and large documents, which are slow to read, a few at a time.
 */
const BATCH_PAGES = 128;
const BATCH_BYTES = 8 * 1024 ** 2;

/** Fetched pages in memory that wait for processing, oldest first. */
interface FetchedPages {
  readonly add: (page: Fetched) => void;
  readonly count: () => number;
  /** Whether there is a full batch. */
  readonly isBatch: () => boolean;
  /** False if the memory limit is reached. */
  readonly hasRoom: () => boolean;
  /** Takes at most a batch, and at least one page if there is any. */
  readonly take: () => readonly Fetched[];
}

const createFetchedPages = (): FetchedPages => {
  const waiting: Fetched[] = [];
  let bytes = 0;
  return {
    add: (page) => {
      waiting.push(page);
      bytes += bytesOf(page);
    },
    count: () => waiting.length,
    isBatch: () => waiting.length >= BATCH_PAGES || bytes >= BATCH_BYTES,
    hasRoom: () => waiting.length < 2 * BATCH_PAGES && bytes < 2 * BATCH_BYTES,
    take: () => {
      let [count, taken] = [0, 0];
      while (count < Math.min(waiting.length, BATCH_PAGES) && taken < BATCH_BYTES) {
        taken += bytesOf(waiting[count] as Fetched);
        count += 1;
      }
      bytes -= taken;
      return waiting.splice(0, count);
    },
  };
};

const bytesOf = ({ outcome }: Fetched): number => (outcome.kind === 'page' ? outcome.body.byteLength : 0);

/** Turns fetched pages into visits, and reads the changed ones. @throws as `Documents.read` */
const visitsOf = async (
  deps: CrawlDeps,
  crawl: Crawl,
  batch: readonly Fetched[],
  signal: AbortSignal,
): Promise<readonly Visit[]> => {
  const at = deps.clock.now();
  const changed = batch.filter((fetched): fetched is WithPage => isNew(deps, crawl, fetched));
  const found = changed.map((fetched) => foundIn(deps, fetched));
  const read = await crawl.documents.read(found, signal);
  await crawl.spellings.look(changed.map(({ outcome }) => outcome.finalUrl));
  const visits = new Map(
    changed.map((fetched, i) => [
      fetched.pending.url,
      visitOfPage(crawl, fetched, at, withTextHash(deps, read[i] as ReadOutcome)),
    ]),
  );
  return batch.map((fetched) => visits.get(fetched.pending.url) ?? visitWithoutPage(crawl, fetched, at));
};

const foundIn = ({ robotName }: CrawlDeps, { outcome }: WithPage): FoundDocument => ({
  body: outcome.body,
  mediaType: outcome.mediaType,
  ...(outcome.charset !== null && { charset: outcome.charset }),
  ...(outcome.fileName !== undefined && { fileName: outcome.fileName }),
  url: outcome.finalUrl,
  robotName,
});

/** The content hash decides: a page with the same bytes as at its last success is not extracted again. */
const isNew = ({ hash }: CrawlDeps, crawl: Crawl, { pending, outcome }: Fetched): boolean => {
  if (outcome.kind !== 'page') return false;
  if (pending.known === undefined || pending.known.failed || crawl.job.state.mode === 'full') return true;
  return outcome.finalUrl !== pending.url || hash.sha256(outcome.body) !== pending.known.rawSha256;
};

/**
 * Records visits: first the facts about documents, then the frontier, in one transaction with the links. After a crash
 * in between, the pages are still pending, and a repeated visit changes nothing because the facts are already recorded.
 * Returns the pages that are new to this generation; with `withLinks` false, none is admitted.
 */
const commit = async (
  { frontier }: CrawlDeps,
  crawl: Crawl,
  visits: readonly Visit[],
  withLinks: boolean,
): Promise<readonly AdmittedPage[]> => {
  const all = dedupe(visits.flatMap((visit) => (visit.also === undefined ? [visit] : [visit, visit.also])));
  const facts = all.flatMap(({ document }) => document ?? []);
  const recorded = await crawl.documents.record(facts);
  const results = new Map(facts.map(({ locator }, i) => [locator, recorded[i]]));
  const pages = all.map(({ document, page }) =>
    visitAfter(page, document ? results.get(document.locator) : undefined),
  );
  crawl.job.assertLeaseHeld();
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

/** Batches that are extracted and committed concurrently. */
const BATCHES = 3;
/** Pending pages read from the frontier at a time. */
const REFILL = 400;

/** A crawl that has only waited for hosts for so long, such as for a pause that one asked for, gives its slot away. */
const IDLE_AFTER_MS = 5_000;

const endsSoon = async ({ sleep }: CrawlDeps, task: Promise<void>): Promise<boolean> => {
  const raced = new AbortController();
  const pause = sleep(IDLE_AFTER_MS, raced.signal).then(() => false);
  return Promise.race([task.then(() => true), pause]).finally(() => raced.abort());
};

export interface Visited {
  readonly counts: JobCounts;
  /** False: a limit ended the crawl and left pages unvisited. */
  readonly complete: boolean;
}

/**
 * Visits every pending page. Fetching, extracting and committing overlap, and each commit may add pages. Ends when
 * nothing is pending, `max_num_files` documents are stored, or a limit of `crawl-bounds.ts` is reached.
 *
 * @throws the reason of `signal`, WorkLost, or what the stores throw; every task has settled by then
 */
export const visitAll = async (deps: CrawlDeps, crawl: Crawl, outer: AbortSignal): Promise<Visited> => {
  const broken = new AbortController();
  const signal = AbortSignal.any([outer, broken.signal]);
  const tasks = new Set<Promise<void>>();
  const inProgress = new Set<string>();
  let buffer: PendingPage[] = [];
  const fetched = createFetchedPages();
  let [fetching, batches] = [0, 0];
  /**
   * Number of committed batches, and the number at which the frontier was last found empty: each commit may add pages.
   */
  let [commits, emptyAfter] = [0, -1];
  const { frontier } = deps;
  const maxFiles = Math.max(crawl.parameters.maxNumFiles, crawl.job.state.locators?.length ?? 0);
  let counts = await frontier.counts(crawl.run);
  let admitted = await frontier.admitted(crawl.run);
  let counting = Promise.resolve();
  /** Counts run one after the other, so that an older count never replaces a newer one. */
  const countAfter = (before: Promise<void>): Promise<void> =>
    before.then(async () => void (counts = await frontier.counts(crawl.run)));

  const start = (task: Promise<void>): void => {
    const settled: Promise<void> = task
      .catch((error: unknown) => broken.abort(error))
      .finally(() => tasks.delete(settled));
    tasks.add(settled);
  };
  const fetchOne = async (pending: PendingPage): Promise<void> => {
    fetching += 1;
    try {
      fetched.add(await fetchPending(deps, crawl, pending, signal));
    } finally {
      fetching -= 1;
    }
  };
  const commitBatch = async (batch: readonly Fetched[]): Promise<void> => {
    batches += 1;
    try {
      moveStart(crawl, batch);
      const visits = await visitsOf(deps, crawl, batch, signal);
      signal.throwIfAborted();
      admitted += (await commit(deps, crawl, visits, admitted < maxAdmitted(maxFiles))).length;
      counting = countAfter(counting);
      await counting;
      for (const { pending } of batch) inProgress.delete(pending.url);
      commits += 1;
      await crawl.job.progress(counts);
    } finally {
      batches -= 1;
    }
  };
  /** Documents that are stored, or may be stored once all pages in progress are done. */
  const spent = (): number => counts.indexed + counts.unchanged + inProgress.size - buffer.length;
  const visits = (): number => counts.seen + inProgress.size - buffer.length;
  const room = (): boolean => spent() < maxFiles && visits() < maxVisits(maxFiles);
  /** A partial batch is committed only if the readers would be idle, or nothing is being fetched. */
  const mayCommit = (): boolean =>
    fetched.count() > 0 && batches < BATCHES && (fetched.isBatch() || batches === 0 || fetching === 0);

  try {
    for (;;) {
      signal.throwIfAborted();
      if (buffer.length === 0 && emptyAfter !== commits) {
        const after = commits;
        buffer = [...(await frontier.pending(crawl.run, REFILL, [...inProgress]))];
        if (buffer.length === 0) emptyAfter = after;
        for (const { url } of buffer) inProgress.add(url);
      }
      await crawl.job.yieldSlot();
      while (buffer.length > 0 && fetching < deps.fetches && fetched.hasRoom() && room()) {
        start(fetchOne(buffer.shift() as PendingPage));
      }
      while (mayCommit()) start(commitBatch(fetched.take()));
      if (tasks.size > 0) {
        const one = Promise.race(tasks);
        if (!(await endsSoon(deps, one)) && batches === 0) await crawl.job.yieldSlot(one);
      } else if (buffer.length > 0 && !room()) return { counts, complete: false };
      else if (buffer.length === 0 && emptyAfter === commits && fetched.count() === 0) {
        const returned = await frontier.requeueDuplicates(crawl.run);
        if (returned === 0) return { counts, complete: admitted < maxAdmitted(maxFiles) };
        emptyAfter = -1;
      }
    }
  } finally {
    broken.abort(new Error('the crawl has ended'));
    await Promise.all(tasks);
  }
};
