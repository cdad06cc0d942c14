import { describe, expect, it } from 'vitest';
import type { Crawl, CrawlDeps } from '../../../../application/sources/crawl/crawl-deps.ts';
import { BATCH_PAGES, visitAll } from '../../../../application/sources/crawl/visit-all.ts';
import { openDocuments } from '../../../../application/sources/ingestion/documents.ts';
import type { Job } from '../../../../application/sources/ingestion/job.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import type { CrawlFrontier, OwedPage } from '../../../../application/ports/crawl-frontier.ts';
import type { JobCounts } from '../../../../domain/data-source/index.ts';

const START = 'https://example.com/';
const pagesOf = (count: number): OwedPage[] =>
  Array.from({ length: count }, (_, i) => ({ url: `${START}p${i}`, depth: 1, links: [] }));

/** A crawl of which robots.txt forbids every page: whatever leads on is up to the frontier. */
const crawlOf = (maxNumFiles: number, more: object = {}, stillOurs = (): void => {}): Crawl => {
  const robots = { check: async () => ({ allowed: false, reason: 'disallowed' }) };
  const scope = { start: new URL(START), maxDepth: 5, maxFiles: maxNumFiles, passesPath: () => true };
  const job = { state: { attempt: 1, mode: 'full' }, progress: async () => {}, stillOurs } as unknown as Job;
  const run = { dataSourceId: 'x', generation: 1 };
  const parameters = { maxNumFiles, startUrl: START };
  const putLocally = (_items: unknown, use: (files: readonly never[]) => unknown) => use([]);
  const files = { area: async () => ({ putLocally, putMany: async () => [] }) };
  const extractor = { extractBatch: async () => [] };
  const redaction = { at: async () => ({ rules: [] }) };
  const documents = openDocuments({ files, extractor, redaction, ...more } as never, job, 'crawl');
  const crawl = { job, documents, run, parameters, robots, scope: { ...scope, fileExtensions: [] } };
  return crawl as unknown as Crawl;
};

/** Keeps what is owed in memory; the test may hold each of its answers back. */
const frontierOf = (
  owed: OwedPage[],
  hooks: Partial<Record<'owed' | 'commit', (nth: number) => Promise<void>>>,
) => {
  const visited = new Set<string>();
  const later: OwedPage[] = [];
  let [asked, committed] = [0, 0];
  const counts = (): JobCounts => {
    const seen = visited.size;
    return { seen, indexed: 0, unchanged: 0, skipped: seen, failed: 0, bytes: 0 };
  };
  const frontier: Partial<CrawlFrontier> = {
    admitted: async () => owed.length,
    counts: async () => counts(),
    returnDuplicates: async () => 0,
    owed: async (_run, limit, except) => {
      const found = owed.filter(({ url }) => !visited.has(url) && !except.includes(url)).slice(0, limit);
      await hooks.owed?.((asked += 1));
      return found;
    },
    commit: async (_run, pages) => {
      const nth = (committed += 1);
      await hooks.commit?.(nth);
      for (const { url } of pages) visited.add(url);
      const led = nth === 2 ? later.splice(0) : [];
      owed.push(...led);
      return led;
    },
  };
  return { frontier: frontier as CrawlFrontier, visited, later };
};

const depsOf = (frontier: CrawlFrontier): CrawlDeps => {
  const clock = { now: () => 1 };
  return { frontier, clock, fetches: 2 * BATCH_PAGES } as unknown as CrawlDeps;
};

describe('visiting all pages', () => {
  it('stops after so many pages as may be visited for the documents wanted, and says that it is not complete', async () => {
    const { frontier, visited } = frontierOf(pagesOf(3_000), {});
    const { complete, counts } = await visitAll(depsOf(frontier), crawlOf(1), new AbortController().signal);
    expect([complete, counts.seen, visited.size]).toEqual([false, 1_020, 1_020]);
  });

  it.each([1, 2, 3, 4])('writes nothing more once the job is lost, at look %i of it', async (lostAt) => {
    const { frontier, visited } = frontierOf(pagesOf(1), {});
    let looks = 0;
    const stillOurs = (): void => {
      if ((looks += 1) >= lostAt) throw new WorkLost('frozen');
    };
    const files: string[] = [];
    const area = {
      putLocally: async (_: unknown, use: (stored: readonly never[]) => unknown) => {
        files.push('pages');
        return use([]);
      },
      putMany: async () => {
        files.push('texts');
        return [];
      },
    };
    const crawl = crawlOf(1000, { files: { area: async () => area } }, stillOurs);
    await expect(visitAll(depsOf(frontier), crawl, new AbortController().signal)).rejects.toThrow(WorkLost);
    expect([files, visited.size]).toEqual([['pages', 'texts'].slice(0, lostAt - 1), 0]);
  });

  it('reads no page where the redaction policies cannot be read', async () => {
    const { frontier, visited } = frontierOf(pagesOf(1), {});
    const redaction = { at: () => Promise.reject(new Error('the policies are away')) };
    const crawl = crawlOf(1000, { redaction });
    await expect(visitAll(depsOf(frontier), crawl, new AbortController().signal)).rejects.toThrow('away');
    expect([...visited]).toEqual([]);
  });
});
