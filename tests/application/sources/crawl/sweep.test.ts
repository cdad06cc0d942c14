import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import type { Crawl, CrawlDeps } from '../../../../application/sources/crawl/crawl-deps.ts';
import { type Pass, sweepUnseen } from '../../../../application/sources/crawl/run-crawl.ts';
import { openDocuments } from '../../../../application/sources/ingestion/documents.ts';
import { sweepFiles } from '../../../../application/sources/ingestion/ingest.ts';
import type { Job } from '../../../../application/sources/ingestion/job.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { source } from '../../../../domain/source/decider.ts';
import { countingIds } from '../../../support/ids.ts';
import { CALLER, ID } from '../ingestion/worker-on-a-job.ts';

const CLAIMED_AT = 1_800_000_000_000;
const never = new AbortController().signal;
const idOf = (n: number): string => `01a1fb75-64cc-81f4-80d9-${String(n).padStart(12, '0')}`;
const FILE = { sha256: 'a'.repeat(64), bytes: 1 };

/** A crawl whose catalog has `count` strays: sources of which no page is known. */
const setUp = async (count: number) => {
  const store = createMemoryEventStore(() => CLAIMED_AT);
  const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
  const strays = Array.from({ length: count }, (_, i) => idOf(i));
  const visit = { dataSourceId: ID, sourceType: 'crawl', jobId: 'j', generation: 1, at: 1 } as const;
  for (const id of strays) {
    const locator = `https://example.com/${id}`;
    const facts = { url: locator, title: '', fileType: 'html', mediaType: 'text/html' } as const;
    const chunkSet = { ...FILE, chunks: 1 };
    const command = { type: 'record_indexed', ...visit, locator, ...facts, raw: FILE, chunkSet } as const;
    await execute(source, sourceStream(id), command, CALLER);
  }
  const swept: unknown[] = [];
  const job = {
    dataSourceId: ID,
    context: CALLER,
    stillOurs: () => {},
    state: { jobId: 'j', generation: 2, claimedAt: CLAIMED_AT },
  } as unknown as Job;
  const clock = { now: () => CLAIMED_AT + 1 };
  const deps = {
    frontier: {
      unseen: async () => [],
      surplus: async () => [],
      strays: async (_run: object, after: string | null, limit: number) =>
        strays.filter((id) => after === null || id > after).slice(0, limit),
    },
  } as unknown as CrawlDeps;
  const crawl = {
    run: { dataSourceId: ID, generation: 2 },
    parameters: { maxNumFiles: 10 },
    job,
    documents: openDocuments({ execute, clock } as never, job, 'crawl'),
  } as unknown as Crawl;
  const stores = {
    catalog: { filesOf: async () => new Set([FILE.sha256]) },
    files: { sweep: async (...call: unknown[]) => void swept.push(call) },
  };
  return {
    sweep: (pass: Pass) => sweepUnseen(deps, crawl, pass, never),
    sweepFiles: (connectors: object = {}) =>
      sweepFiles({ ...stores, connectors } as never, { ...job, before: job.state.claimedAt ?? 0 }),
    swept,
    /** How many of them have been removed. */
    removed: async () => {
      const last = await Promise.all(
        strays.map(async (id) => (await store.readStream(sourceStream(id))).at(-1)),
      );
      return last.filter((event) => event?.type === 'SourceRemoved').length;
    },
  };
};

describe('what a pass did not come by', () => {
  it('is removed to the last stray, however many there are, once all of the site was looked at', async () => {
    const { sweep, removed } = await setUp(250);
    await sweep('whole');
    expect(await removed()).toBe(250);
  });

  it.each(['without sitemap', 'cut'] as const)(
    'is kept where only the catalog knows of it, after a pass that is %s',
    async (pass) => {
      const { sweep, removed } = await setUp(3);
      await sweep(pass);
      expect(await removed()).toBe(0);
    },
  );

  it('leaves its files to be swept, but for those in use and those written since the job was claimed', async () => {
    const { sweepFiles: files, swept } = await setUp(0);
    await files();
    expect(swept).toEqual([[ID, new Set([FILE.sha256]), CLAIMED_AT]]);
  });

  it('leaves files that a connector keeps by itself, and those that may be on their way to it', async () => {
    const { sweepFiles: files, swept } = await setUp(0);
    await files({ local_file_group: { keeps: async () => new Set(['uploaded']) } });
    expect(swept).toEqual([[ID, new Set(['uploaded', FILE.sha256]), CLAIMED_AT - 15 * 60_000]]);
  });
});
