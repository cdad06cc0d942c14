import { sha256 } from '../../../../../adapters/system/identity.ts';
import type { ExtractedDocument } from '../../../../../application/ports/document-reader.ts';
import type { KnownItem, VisitedItem } from '../../../../../application/ports/item-store.ts';
import type { DocumentFact } from '../../../../../application/sources/ingestion/document-fact.ts';
import { pipelined } from '../../../../../application/sources/ingestion/listed/item-pipeline.ts';
import { type ItemVisit, outcomeOf } from '../../../../../application/sources/ingestion/listed/item-visit.ts';
import type {
  ListedDeps,
  ListedRun,
} from '../../../../../application/sources/ingestion/listed/listed-run.ts';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { queueVisits, visitItems } from '../../../../../application/sources/ingestion/listed/visit-items.ts';
import type {
  FoundDocument,
  NoText,
  ReadText,
} from '../../../../../application/sources/ingestion/read-documents.ts';
import { NO_COUNTS, type SyncMode } from '../../../../../domain/data-source/index.ts';
import { documentOf } from '../documents-in-memory.ts';
import { describe, expect, it } from 'vitest';

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

describe('looking at the items of a list', () => {
  const AT = 1_800_000_000_000;

  /** A job on items of which this is known. Each is left out once it was fetched, unless `answer` says otherwise. */
  const setUp = (before: Readonly<Record<string, KnownItem>> = {}, mode: SyncMode = 'incremental') => {
    const fetched: string[] = [];
    const told: (readonly ['facts' | 'visits', readonly string[]])[] = [];
    const visits: VisitedItem[] = [];
    const world = {
      underWay: 0,
      facts: [] as DocumentFact[],
      maxAtOnce: 0,
      onFetch: (_locator: string): void => {},
      onRead: async (): Promise<void> => {},
      answer: (): FetchedItem => LEFT_OUT,
      assertLeaseHeld: (): void => {},
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
      run: { dataSourceId: 'ds', generation: 2, rulesChangedAt: 0 },
      listing: {
        fetch: async ({ locator }: ListedItem) => {
          fetched.push(locator);
          world.onFetch(locator);
          world.maxAtOnce = Math.max(world.maxAtOnce, (world.underWay += 1));
          await new Promise((resolve) => setImmediate(resolve));
          world.underWay -= 1;
          return world.answer();
        },
      },
      ingestion: {
        job: {
          state: { mode, attempt: 1 },
          progress: async () => {},
          assertLeaseHeld: () => world.assertLeaseHeld(),
          yieldSlot: async () => {},
        },
        documents: {
          idOf: (locator: string) => `id of ${locator}`,
          read: async (found: readonly FoundDocument[]) => {
            await world.onRead();
            return found.map(() => readAs());
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
        for (const items of pages) await queueVisits(deps, of, pipeline, items, never);
      });
    return { visit, visitPages, fetched, told, visits, world };
  };

  it.each<[string, KnownItem, SyncMode]>([
    ['that failed since', known({ failed: true }), 'incremental'],
    ['whose last version is not trusted', known({ fingerprint: null }), 'incremental'],
    ['of a full sync', known(), 'full'],
  ])('fetches one %s although its fingerprint is the same', async (_, before, mode) => {
    const { visit, fetched } = setUp({ a: before }, mode);
    await visit([item('a')]);
    expect(fetched).toEqual(['a']);
  });

  it('keeps words of its provider without what policies hide', async () => {
    const { visit: visitAll, world } = setUp();
    await visitAll([item('skipped')]);
    world.answer = () => ({ kind: 'failed', code: 'refused', message: 'it says no', title: 'Diary of jo' });
    await visitAll([item('failed')]);
    world.answer = () => ({
      kind: 'document',
      document: { body: RAW, url: URL },
      metadata: { author: 'jo', created: null, modified: 'lately' },
    });
    await visitAll([item('read')]);
    expect(world.facts).toMatchObject([
      { kind: 'skipped', title: 'Film of …' },
      { kind: 'failed', title: 'Diary of …' },
      { kind: 'indexed', metadata: [{ key: 'author', val: '…', type: 'string' }] },
    ]);
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
});

const URL = 'https://host.example/a';

const RAW = { sha256: 'a'.repeat(64), bytes: 5 };

const visit = (more: Partial<ItemVisit>): ItemVisit => ({
  item: { locator: 'a', fingerprint: '2' },
  fetched: null,
  known: undefined,
  ...more,
});

const document = (mediaType?: string): FetchedItem => ({
  kind: 'document',
  document: { body: RAW, url: URL, ...(mediaType !== undefined && { mediaType }) },
});

const readAs = (more: Partial<ExtractedDocument> = {}): ReadText => ({
  raw: RAW,
  chunkSet: { sha256: 'b'.repeat(64), bytes: 9 },
  outcome: documentOf('one', more),
});

const unread = (outcome: NoText['outcome'], title?: string): NoText => ({
  raw: RAW,
  outcome,
  chunkSet: null,
  ...(title !== undefined && { title }),
});

describe('item visit', () => {
  const [AT, ATTEMPT] = [1_800_000_000_000, 3];

  const outcomeFor = (more: Partial<ItemVisit>) =>
    outcomeOf(visit(more), (name) => `id of ${name}`, AT, ATTEMPT);

  /** The row of a visit that found nothing, and a fact about an item that was not known before. */
  const ROW = {
    locator: 'a',
    sourceId: 'id of a',
    fingerprint: null,
    code: null,
    message: null,
    bytes: 0,
    at: AT,
    attempt: ATTEMPT,
  };

  const FACT = { locator: 'a', firstSeen: true, at: AT };

  describe('the visit of an item', () => {
    it('whose bytes have no text fails, or is left out as a type that is not read', () => {
      const failure = { code: 'encrypted', message: 'needs a password' } as const;
      const failed = unread({ kind: 'failed', ...failure }, 'Letter');
      expect(outcomeFor({ fetched: document(), read: failed })).toEqual({
        visited: { ...ROW, outcome: 'failed', ...failure },
        fact: { kind: 'failed', ...failure, url: URL, title: 'Letter', ...FACT },
      });
      const odd = unread({ kind: 'unsupported', mediaType: null, message: 'no such type' });
      const code = 'unsupported_file_type';
      const left = outcomeFor({ fetched: document(), read: odd });
      expect(left).toEqual({
        visited: { ...ROW, outcome: 'skipped', code, message: 'no such type', fingerprint: '2' },
        fact: { kind: 'skipped', reason: code, url: URL, ...FACT },
      });
      expect(left.fact).not.toHaveProperty('title');
    });

    it.each([
      ['2026-11-27T10:00:00', '2026-11-27T10:00:00.000Z'],
      ['2026-11-27 10:00:00.5', '2026-11-27T10:00:00.500Z'],
      ['2026-11-27', '2026-11-27T00:00:00.000Z'],
      ['27 Nov 2026 10:00', undefined],
      ['9999-12-31T23:59:59-01:00', undefined],
      ['', undefined],
    ])('reads %j as a time that no zone of the machine changes', (created, val) => {
      const fetched = { ...document(), metadata: { author: null, created, modified: null } } as const;
      expect(outcomeFor({ fetched, read: readAs() }).fact).toMatchObject({
        metadata: val === undefined ? [] : [{ key: 'created', val, type: 'datetime' }],
      });
    });

    it('brings what its provider tells of the document, the name of the author as policies leave it', () => {
      const fetched = {
        ...document(),
        metadata: { author: 'Ada', created: '1970-01-01T00:00:00Z', modified: '1970-01-01T01:00:01+01:00' },
      } as const;
      expect(outcomeFor({ fetched, read: readAs(), author: '[name]' }).fact).toMatchObject({
        metadata: [
          { key: 'author', val: '[name]', type: 'string' },
          { key: 'created', val: '1970-01-01T00:00:00.000Z', type: 'datetime' },
          { key: 'modified', val: '1970-01-01T00:00:01.000Z', type: 'datetime' },
        ],
      });
    });
  });
});
