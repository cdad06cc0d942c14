import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../../adapters/system/identity.ts';
import type { DocumentFact } from '../../../../../application/sources/ingestion/document-fact.ts';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import type {
  ListedDeps,
  ListedRun,
} from '../../../../../application/sources/ingestion/listed/listed-run.ts';
import { pipelined } from '../../../../../application/sources/ingestion/listed/item-pipeline.ts';
import { takeUp, visitItems } from '../../../../../application/sources/ingestion/listed/visit-items.ts';
import type { KnownItem, VisitedItem } from '../../../../../application/ports/item-store.ts';
import { NO_COUNTS, type SyncMode } from '../../../../../domain/data-source/index.ts';

const AT = 1_800_000_000_000;
const never = new AbortController().signal;
const item = (locator: string, fingerprint = '1'): ListedItem => ({ locator, fingerprint });
const known = (more: Partial<KnownItem> = {}): KnownItem => ({
  seen: false,
  fingerprint: '1',
  failed: false,
  skipped: null,
  ...more,
});
const LEFT_OUT: FetchedItem = {
  kind: 'skipped',
  reason: 'too_large',
  message: 'it is too large',
  title: 'Film of jo',
  url: 'https://drive.example/film',
};

/** A job on items of which this is known. Each is left out once it was fetched: no documents need to be read. */
const setUp = (before: Readonly<Record<string, KnownItem>> = {}, mode: SyncMode = 'incremental') => {
  const fetched: string[] = [];
  const told: (readonly ['facts' | 'visits', readonly string[]])[] = [];
  const visits: VisitedItem[] = [];
  const world = {
    underWay: 0,
    facts: [] as DocumentFact[],
    mostAtOnce: 0,
    onFetch: (_locator: string): void => {},
    onRead: async (): Promise<void> => {},
    stillOurs: (): void => {},
  };
  const stateOf = (name: string): KnownItem | undefined =>
    visits.some(({ locator }) => locator === name) ? known({ seen: true }) : before[name];
  const deps = {
    clock: { now: () => AT },
    hash: sha256,
    itemStore: {
      known: async (_: object, locators: readonly string[]) =>
        new Map(locators.flatMap((name) => (stateOf(name) === undefined ? [] : [[name, stateOf(name)]]))),
      commit: async (_: object, visited: readonly VisitedItem[]) => {
        visits.push(...visited);
        told.push(['visits', visited.map(({ locator }) => locator)]);
      },
      counts: async () => NO_COUNTS,
    },
  } as unknown as ListedDeps;
  const of = {
    fetches: 3,
    run: { dataSourceId: 'ds', generation: 2, judgedSince: 0 },
    listing: {
      fetch: async ({ locator }: ListedItem) => {
        fetched.push(locator);
        world.onFetch(locator);
        world.mostAtOnce = Math.max(world.mostAtOnce, (world.underWay += 1));
        await new Promise((resolve) => setImmediate(resolve));
        world.underWay -= 1;
        return LEFT_OUT;
      },
    },
    ingestion: {
      job: { state: { mode, attempt: 1 }, progress: async () => {}, stillOurs: () => world.stillOurs() },
      documents: {
        idOf: (locator: string) => `id of ${locator}`,
        read: async () => {
          await world.onRead();
          return [];
        },
        hidden: async (titles: readonly string[]) => titles.map((title) => title.replace('jo', '…')),
        record: async (facts: readonly DocumentFact[]) => {
          world.facts.push(...facts);
          if (facts.length > 0) told.push(['facts', facts.map(({ locator }) => locator)]);
          return facts.map(({ locator }) => ({ sourceId: `id of ${locator}`, same: false }));
        },
      },
    },
  } as unknown as ListedRun;
  const visit = (items: readonly ListedItem[], signal = never) => visitItems(deps, of, items, signal);
  const visitPages = (pages: readonly (readonly ListedItem[])[]) =>
    pipelined(async (pipeline) => {
      for (const items of pages) await takeUp(deps, of, pipeline, items, never);
    });
  return { visit, visitPages, fetched, told, visits, world };
};
const outcomes = (visits: readonly VisitedItem[]) => visits.map(({ locator, outcome }) => [locator, outcome]);

describe('looking at the items of a list', () => {
  it('does not fetch those whose fingerprint is that of their last success, and says that it looked', async () => {
    const skipped = { code: 'too_large', message: 'it is too large' };
    const { visit, fetched, visits } = setUp({ same: known(), out: known({ skipped }), other: known() });
    await visit([item('same'), item('out'), item('other', '2'), item('new')]);
    expect(fetched).toEqual(['other', 'new']);
    expect(outcomes(visits)).toEqual([
      ['same', 'unchanged'],
      ['out', 'skipped'],
      ['other', 'skipped'],
      ['new', 'skipped'],
    ]);
    expect(visits[1]).toMatchObject({ ...skipped, fingerprint: '1' });
  });

  it.each<[string, KnownItem, SyncMode]>([
    ['that failed since', known({ failed: true }), 'incremental'],
    ['whose last version is not trusted', known({ fingerprint: null }), 'incremental'],
    ['of a full sync', known(), 'full'],
  ])('fetches one %s although its fingerprint is the same', async (_, before, mode) => {
    const { visit, fetched } = setUp({ a: before }, mode);
    await visit([item('a')]);
    expect(fetched).toEqual(['a']);
  });

  it('fetches an item once that is listed twice, and records one without a usable name as failed', async () => {
    const { visit, fetched, visits } = setUp();
    await visit([item('a'), item('a', '2'), item('')]);
    expect(fetched).toEqual(['a']);
    expect(visits.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['failed', 'locator_empty'],
      ['skipped', 'too_large'],
    ]);
  });

  it('records nothing more once it is told to stop', async () => {
    const { visit, fetched, told, world } = setUp();
    const stop = new AbortController();
    world.onFetch = (locator) => locator === 'u255' && stop.abort(new Error('told to stop'));
    const items = Array.from({ length: 400 }, (_, i) => item(`u${i}`));
    await expect(visit(items, stop.signal)).rejects.toThrow('told to stop');
    expect(told.map(([what, names]) => [what, names.length])).toEqual([
      ['facts', 128],
      ['visits', 128],
    ]);
    expect(fetched.length).toBeLessThan(400);
    const before = fetched.length;
    await expect(visit([item('late')], stop.signal)).rejects.toThrow('told to stop');
    expect(fetched).toHaveLength(before);
  });

  it('records what came before a batch that could not be read, and nothing behind it', async () => {
    const { visit, told, world } = setUp();
    const reads: PromiseWithResolvers<void>[] = [];
    world.onRead = () => {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      return read.promise;
    };
    const visiting = visit(Array.from({ length: 1_024 }, (_, i) => item(`u${i}`)));
    await expect.poll(() => reads.length).toBe(6);
    for (const read of reads.slice(2)) read.resolve();
    reads[1]!.reject(new Error('the disk is full'));
    reads[0]!.resolve();
    await expect(visiting).rejects.toThrow('the disk is full');
    expect(told.map(([what, names]) => [what, names[0], names.length])).toEqual([
      ['facts', 'u0', 128],
      ['visits', 'u0', 128],
    ]);
  });

  it('records what was fetched before its provider failed', async () => {
    const { visit, told, world } = setUp();
    world.onFetch = (locator) => {
      if (locator === 'u200') throw new Error('it is away');
    };
    const items = Array.from({ length: 400 }, (_, i) => item(`u${i}`));
    await expect(visit(items)).rejects.toThrow('it is away');
    expect([told.map(([what, names]) => [what, names.length]), world.underWay]).toEqual([
      [
        ['facts', 128],
        ['visits', 128],
      ],
      0,
    ]);
  });

  it('leaves the item store alone when the job is no longer its own', async () => {
    const { visit, told, world } = setUp();
    world.stillOurs = () => {
      throw new Error('the lease is lost');
    };
    await expect(visit([item('a')])).rejects.toThrow('the lease is lost');
    expect(told).toEqual([['facts', ['a']]]);
  });
});
