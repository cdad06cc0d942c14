import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ListingState,
  ItemRun,
  VisitedItem,
  ItemStore,
  ItemOutcome,
} from '../../../application/ports/item-store.ts';
import { createIdSource } from '../../../adapters/system/identity.ts';

interface OpenItemStore {
  readonly itemStore: ItemStore;
  /** Lets the catalog have these sources of a data source, and have had those that were removed. */
  readonly catalog: (
    dataSourceId: string,
    there: readonly string[],
    removed: readonly string[],
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

const { newId } = createIdSource();
const sourceId = newId();
const WRONG = { code: 'timed_out', message: 'it took too long' };

const visit = (
  outcome: ItemOutcome,
  fingerprint: string | null,
  more: Partial<VisitedItem> = {},
): VisitedItem => ({
  locator: 'shop.csv',
  outcome,
  sourceId,
  fingerprint,
  code: null,
  message: null,
  bytes: 1,
  at: 5,
  attempt: 1,
  ...more,
});

/** A data source of its own: its jobs, one after the other. */
const jobs = (): ((generation: number, rulesChangedAt?: number) => ItemRun) => {
  const dataSourceId = newId();
  return (generation, rulesChangedAt = 0) => ({ dataSourceId, generation, rulesChangedAt });
};

/** What the port promises of items that are visited. */
const visitsContract = (world: () => OpenItemStore): void => {
  const itemStore = () => world().itemStore;

  /** What the third job knows of an item that was indexed with the fingerprint `v1`, and then met this. */
  const knownAfter = async (second: VisitedItem) => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('indexed', 'v1')]);
    await itemStore().commit(run(2), [second]);
    return (await itemStore().known(run(3), ['shop.csv'])).get('shop.csv');
  };

  it.each(['indexed', 'unchanged'] as const)(
    'forgets the fingerprint of an item that was %s and is to be read again',
    async (outcome) => {
      expect(await knownAfter(visit(outcome, null))).toMatchObject({ fingerprint: null, failed: false });
    },
  );

  it('keeps the fingerprint of the last success for an item that failed', async () => {
    expect(await knownAfter(visit('failed', null))).toMatchObject({ fingerprint: 'v1', failed: true });
  });

  it('takes the fingerprint of another version', async () => {
    expect(await knownAfter(visit('indexed', 'v2'))).toMatchObject({ fingerprint: 'v2', failed: false });
  });

  it('knows why an item was left out, and nothing of one that is gone, or was never met', async () => {
    expect(await knownAfter(visit('skipped', 'v2', WRONG))).toMatchObject({ skipped: WRONG });
    expect(await knownAfter(visit('gone', null, { sourceId: null }))).toBeUndefined();
    expect(await itemStore().known(jobs()(1), ['shop.csv'])).toEqual(new Map());
  });

  it('says whether this job has met an item, and trusts nothing that was judged in another way', async () => {
    const run = jobs();
    await itemStore().commit(run(2), [visit('indexed', 'v1')]);
    const of = async (generation: number, since = 0) =>
      (await itemStore().known(run(generation, since), ['shop.csv'])).get('shop.csv');
    expect([(await of(2))?.seen, (await of(3))?.seen]).toEqual([true, false]);
    expect([(await of(3, 5))?.fingerprint, (await of(3, 6))?.fingerprint]).toEqual(['v1', null]);
  });

  it('keeps what a newer job has found', async () => {
    const run = jobs();
    await itemStore().commit(run(2), [visit('indexed', 'v2')]);
    await itemStore().commit(run(1), [visit('indexed', 'v1')]);
    expect((await itemStore().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBe('v2');
  });

  it('counts what one job has met, rows left aside', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('indexed', 'v1', { locator: 'of the job before' })]);
    const outcomes = ['indexed', 'indexed', 'unchanged', 'skipped', 'failed', 'row_failed'] as const;
    await itemStore().commit(
      run(2),
      outcomes.map((outcome, i) => visit(outcome, null, { locator: `${i}` })),
    );
    const counts = { seen: 5, indexed: 2, unchanged: 1, skipped: 1, failed: 1, bytes: 6 };
    expect(await itemStore().counts(run(2))).toEqual(counts);
  });

  it('keeps an item that is called as a row that failed is', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('indexed', 'v1', { locator: 'a#row=1' })]);
    const row = visit('row_failed', null, { locator: 'a#row=1', sourceId: null, ...WRONG });
    await itemStore().commit(run(2), [row]);
    expect((await itemStore().known(run(3), ['a#row=1'])).get('a#row=1')?.fingerprint).toBe('v1');
    expect((await itemStore().errors(run(2).dataSourceId, { limit: 9 })).rows).toEqual([]);
  });

  it('forgets what was wrong with rows of one item, and nothing of others', async () => {
    const run = jobs();
    const rows = ['shop.csv#row=1', 'shop.csv#row=20', 'shop.csv#row=x', 'other.csv#row=1', 'shop.csv'];
    await itemStore().commit(
      run(1),
      rows.map((locator) => visit('row_failed', null, { locator, sourceId: null, ...WRONG })),
    );
    const row = visit('row_failed', null, { locator: 'shop.csv#row=3', sourceId: null, ...WRONG });
    await itemStore().commitVersion(run(1), 'shop.csv', [row]);
    const { rows: left } = await itemStore().errors(run(1).dataSourceId, { limit: 9 });
    const names = ['other.csv#row=1', 'shop.csv', 'shop.csv#row=3', 'shop.csv#row=x'];
    expect(left.map(({ locator }) => locator)).toEqual(names);
  });

  it('lists what is wrong with items of the newest job, page by page', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('failed', null, { locator: 'before', ...WRONG })]);
    const wrong = [
      visit('failed', null, { locator: 'c', ...WRONG }),
      visit('indexed', null, { locator: 'a', ...WRONG }),
      visit('row_failed', null, { locator: 'b#row=1', ...WRONG }),
    ];
    const well = [
      visit('indexed', 'v1', { locator: 'd' }),
      visit('skipped', 'v1', { locator: 'e', ...WRONG }),
    ];
    await itemStore().commit(run(2), [...wrong, ...well]);
    const first = await itemStore().errors(run(2).dataSourceId, { limit: 2 });
    expect(first).toMatchObject({ hasMore: true, total: 3 });
    expect(first.rows[0]).toEqual({ locator: 'a', ...WRONG, at: 5, attempt: 1 });
    const beside = await itemStore().errors(run(2).dataSourceId, { limit: 9 }, 'and skipped');
    expect(beside).toMatchObject({ hasMore: false, total: 4 });
    expect(beside.rows.map(({ locator }) => locator)).toEqual(['a', 'b#row=1', 'c', 'e']);
    const rest = await itemStore().errors(run(2).dataSourceId, { limit: 2, after: 'b#row=1' });
    expect([rest.rows.map(({ locator }) => locator), rest.hasMore]).toEqual([['c'], false]);
    await expect(
      itemStore().errors(run(2).dataSourceId, { limit: 2, after: 'nothing' }),
    ).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('has the next job read a document again that earlier ones knew', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('indexed', 'v1')]);
    await itemStore().forgetDocument(run(1), sourceId);
    expect((await itemStore().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBe('v1');
    await itemStore().forgetDocument(run(2), sourceId);
    expect((await itemStore().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBeNull();
  });

  it('forgets items that this job has not met, and no others', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [visit('indexed', 'v1')]);
    await itemStore().commit(run(2), [visit('indexed', 'v1', { locator: 'met' })]);
    await itemStore().forget(run(2), ['shop.csv', 'met', 'never there']);
    expect([...(await itemStore().known(run(2), ['shop.csv', 'met'])).keys()]).toEqual(['met']);
  });

  it('knows when a job outside was heard of last, and forgets it with all else', async () => {
    const run = jobs();
    const { dataSourceId } = run(1);
    expect(await itemStore().lastHeartbeat(dataSourceId)).toBe(0);
    await itemStore().recordHeartbeat(run(1), 20_000);
    await itemStore().recordHeartbeat(run(1), 10_000);
    await itemStore().commit(run(1), [visit('indexed', 'v1')]);
    expect(await itemStore().lastHeartbeat(dataSourceId)).toBe(20_000);
    await itemStore().purge(dataSourceId);
    expect(await itemStore().lastHeartbeat(dataSourceId)).toBe(0);
    expect(await itemStore().known(run(2), ['shop.csv'])).toEqual(new Map());
  });
};

const AT_ITS_BEGINNING = { cursor: null, complete: false, syncToken: null };

/** What the port promises of how far items are listed, and of those that were not met. */
const listingContract = (world: () => OpenItemStore): void => {
  const itemStore = () => world().itemStore;

  it('goes on where this job has come in its listing, and begins anew for the next', async () => {
    const run = jobs();
    expect(await itemStore().listing(run(1))).toEqual(AT_ITS_BEGINNING);
    await itemStore().commit(run(1), [visit('indexed', 'v1')], { cursor: 'page 2', complete: false });
    await itemStore().commit(run(1), [visit('indexed', 'v1', { locator: 'another' })]);
    expect(await itemStore().listing(run(1))).toEqual({ cursor: 'page 2', complete: false, syncToken: null });
    expect([...(await itemStore().known(run(1), ['shop.csv', 'another'])).keys()]).toHaveLength(2);
    expect(await itemStore().listing(run(2))).toEqual(AT_ITS_BEGINNING);
    expect(await itemStore().listing(jobs()(1))).toEqual(AT_ITS_BEGINNING);
  });

  it('keeps a sync token from one complete listing to the next', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [], { cursor: null, complete: true, syncToken: 'first' });
    expect(await itemStore().listing(run(1))).toEqual({ cursor: null, complete: true, syncToken: 'first' });
    expect(await itemStore().listing(run(2))).toEqual({ ...AT_ITS_BEGINNING, syncToken: 'first' });
    await itemStore().commit(run(2), [], { cursor: 'page 2', complete: false, syncToken: 'too early' });
    expect(await itemStore().listing(run(2))).toEqual({
      cursor: 'page 2',
      complete: false,
      syncToken: 'first',
    });
    await itemStore().commit(run(2), [], { cursor: null, complete: true, syncToken: 'second' });
    expect(await itemStore().listing(run(3))).toMatchObject({ syncToken: 'second' });
    await itemStore().commit(run(3), [], { cursor: null, complete: true });
    expect(await itemStore().listing(run(4))).toEqual(AT_ITS_BEGINNING);
  });

  it('keeps the listing of a newer job, until the data source is forgotten', async () => {
    const run = jobs();
    await itemStore().commit(run(2), [], { cursor: 'page 2', complete: false });
    await itemStore().commit(run(1), [], { cursor: null, complete: true, syncToken: 'late' });
    await itemStore().markRestUnchanged(run(1), { except: new Set(), syncToken: 'late' }, 9);
    expect(await itemStore().listing(run(2))).toEqual({ cursor: 'page 2', complete: false, syncToken: null });
    await itemStore().purge(run(2).dataSourceId);
    expect(await itemStore().listing(run(2))).toEqual(AT_ITS_BEGINNING);
  });

  it('names sources that earlier jobs knew and this one did not come by', async () => {
    const run = jobs();
    const [c, a, b] = [newId(), newId(), newId()];
    const before = [
      visit('indexed', 'v1', { locator: 'c', sourceId: c }),
      visit('failed', null, { locator: 'a', sourceId: a, ...WRONG }),
      visit('skipped', 'v1', { locator: 'without', sourceId: null, ...WRONG }),
      visit('indexed', 'v1', { locator: 'met' }),
    ];
    await itemStore().commit(run(1), before);
    await itemStore().commit(run(2), [visit('unchanged', 'v1', { locator: 'b', sourceId: b })]);
    await itemStore().commit(run(3), [visit('unchanged', 'v1', { locator: 'met' })]);
    const of = [
      { locator: 'a', sourceId: a },
      { locator: 'b', sourceId: b },
      { locator: 'c', sourceId: c },
    ];
    expect(await itemStore().unseen(run(3), 9)).toEqual(of);
    expect(await itemStore().unseen(run(3), 2)).toEqual(of.slice(0, 2));
    expect(await itemStore().unseen(jobs()(3), 9)).toEqual([]);
  });

  it('has locators in the order of their bytes', async () => {
    const run = jobs();
    const names = ['Z', 'a', 'é', 'ﬀ', '😀'];
    const items = names.map((locator) => visit('failed', null, { locator, ...WRONG }));
    await itemStore().commit(run(1), items.toReversed(), { cursor: null, complete: true });
    const unseen = await itemStore().unseen(run(2), 9);
    expect(unseen.map(({ locator }) => locator)).toEqual(names);
    expect(await itemStore().pending(run(2), new Set(), 9)).toEqual(names);
    const errors = await itemStore().errors(run(1).dataSourceId, { limit: 9, after: 'ﬀ' });
    expect(errors.rows.map(({ locator }) => locator)).toEqual(['😀']);
  });

  it('names the sources that the catalog has and no item is known of', async () => {
    const run = jobs();
    const [known, removed, ...lost] = Array.from({ length: 5 }, newId).toSorted() as [
      string,
      string,
      ...string[],
    ];
    const { dataSourceId } = run(1);
    await world().catalog(dataSourceId, [...lost.toReversed(), known], [removed]);
    await itemStore().commit(run(1), [visit('indexed', 'v1', { sourceId: known })]);
    expect(await itemStore().orphans(run(2), null, 9)).toEqual(lost);
    expect(await itemStore().orphans(run(2), null, 2)).toEqual(lost.slice(0, 2));
    expect(await itemStore().orphans(run(2), lost[0]!, 9)).toEqual(lost.slice(1));
    expect(await itemStore().orphans(jobs()(2), null, 9)).toEqual([]);
  });
};

const LISTED: ListingState = { cursor: null, complete: true, syncToken: 'version 1' };
const NONE: ReadonlySet<string> = new Set();
const well = (locator: string): VisitedItem => visit('indexed', 'v1', { locator });
const broken = (locator: string): VisitedItem => visit('failed', null, { locator, ...WRONG });
const leftOut = (locator: string): VisitedItem => visit('skipped', 'v1', { locator, ...WRONG });
const badRow = (locator: string): VisitedItem =>
  visit('row_failed', null, { locator, sourceId: null, ...WRONG });
const NOTHING = { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 };

/** What the port promises of items that a job takes for unchanged although it does not look at them. */
const touchedItemsContract = (world: () => OpenItemStore): void => {
  const itemStore = () => world().itemStore;
  /** Names of those of these that this job has seen. */
  const seen = async (run: ItemRun, locators: readonly string[]): Promise<readonly string[]> => {
    const known = await itemStore().known(run, locators);
    return locators.filter((locator) => known.get(locator)?.seen === true);
  };
  const rest = (syncToken: string | null, ...except: readonly string[]) => ({
    except: new Set(except),
    syncToken,
  });

  it('takes every item for seen and as it was where nothing has changed since the sync token', async () => {
    const [run, other] = [jobs(), jobs()];
    await itemStore().commit(run(1), [well('a'), leftOut('b')], LISTED);
    await itemStore().commit(other(1), [well('a')], LISTED);
    expect(await itemStore().markAllUnchanged(run(2), 9)).toBe(true);
    expect(await itemStore().counts(run(2))).toEqual({ ...NOTHING, seen: 2, unchanged: 1, skipped: 1 });
    expect(await itemStore().listing(run(2))).toEqual(LISTED);
    expect((await itemStore().known(run(3, 9), ['b'])).get('b')).toEqual({
      seen: false,
      fingerprint: 'v1',
      failed: false,
      skipped: WRONG,
    });
    expect((await itemStore().known(run(3, 10), ['b'])).get('b')?.fingerprint).toBeNull();
    expect(await itemStore().counts(other(2))).toEqual(NOTHING);
    expect(await itemStore().markAllUnchanged(run(2), 9)).toBe(false);
    expect(await itemStore().markAllUnchanged(run(3), 9)).toBe(true);
  });

  it.each<[string, readonly VisitedItem[]]>([
    ['failed', [broken('b')]],
    ['is to be read again', [visit('indexed', null, { locator: 'b' })]],
    ['was indexed with something missing', [visit('indexed', 'v1', { locator: 'b', ...WRONG })]],
    ['was so unchanged', [visit('unchanged', 'v1', { locator: 'b', ...WRONG })]],
    ['was judged in another way', [visit('indexed', 'v1', { locator: 'b', at: 4 })]],
    ['has a row that failed', [well('b'), badRow('b#row=1')]],
  ])('has to look at items where one %s, and takes none for seen', async (_, items) => {
    const run = jobs();
    await itemStore().commit(run(1), [well('b')]);
    await itemStore().commit(run(1), [well('a'), ...items], LISTED);
    expect(await itemStore().markAllUnchanged(run(2, 5), 9)).toBe(false);
    expect(await itemStore().pending(run(2, 5), NONE, 9)).toEqual(['b']);
    expect(await itemStore().markRestUnchanged(run(2, 5), rest('version 2'), 9)).toBe(false);
    expect(await seen(run(2), ['a', 'b'])).toEqual([]);
    expect(await itemStore().listing(run(2))).toEqual({
      cursor: null,
      complete: false,
      syncToken: 'version 1',
    });
  });

  it('has to look at items without a sync token, and where a job has looked at one since it was left', async () => {
    const run = jobs();
    expect(await itemStore().markAllUnchanged(run(1), 9)).toBe(false);
    await itemStore().commit(run(1), [well('a')], { cursor: null, complete: true });
    expect(await itemStore().markAllUnchanged(run(2), 9)).toBe(false);
    await itemStore().commit(run(2), [well('a'), well('b')], LISTED);
    await itemStore().commit(run(3), [well('b')]);
    expect(await itemStore().markAllUnchanged(run(4), 9)).toBe(false);
    expect(await seen(run(3), ['a', 'b'])).toEqual(['b']);
  });

  it('owes what this job has not looked at and has to, in the order of locators', async () => {
    const run = jobs();
    const pending = [broken('c'), visit('indexed', null, { locator: 'a' }), broken('b')];
    const others = [well('d'), leftOut('e'), broken('met'), well('f.csv'), badRow('f.csv#row=20')];
    await itemStore().commit(run(1), [...pending, ...others], LISTED);
    await itemStore().commit(run(2), [broken('met')]);
    expect(await itemStore().pending(run(2), NONE, 9)).toEqual(['a', 'b', 'c', 'f.csv']);
    expect(await itemStore().pending(run(2), NONE, 2)).toEqual(['a', 'b']);
    expect(await itemStore().pending(run(2), new Set(['a', 'c']), 9)).toEqual(['b', 'f.csv']);
    expect(await itemStore().pending(run(2, 6), NONE, 9)).toEqual(['a', 'b', 'c', 'd', 'e', 'f.csv']);
    expect(await itemStore().pending(jobs()(2), NONE, 9)).toEqual([]);
  });

  it('owes no item for a row that failed in a job before its last, or of another item', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [well('a'), badRow('a#row=1')], LISTED);
    await itemStore().commit(run(2), [well('a'), badRow('b#row=1')], LISTED);
    expect(await itemStore().pending(run(3), NONE, 9)).toEqual([]);
  });

  it('takes the rest for seen and as it was, all but what is there no more', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [well('a'), leftOut('b'), broken('gone'), well('changed')], LISTED);
    await itemStore().commit(run(2), [visit('indexed', 'v2', { locator: 'changed' })]);
    expect(await itemStore().markRestUnchanged(run(2), rest('version 2', 'gone'), 9)).toBe(true);
    const counts = { seen: 3, indexed: 1, unchanged: 1, skipped: 1, failed: 0, bytes: 1 };
    expect(await itemStore().counts(run(2))).toEqual(counts);
    expect((await itemStore().unseen(run(2), 9)).map(({ locator }) => locator)).toEqual(['gone']);
    expect(await itemStore().listing(run(2))).toEqual({
      cursor: null,
      complete: true,
      syncToken: 'version 2',
    });
    expect((await itemStore().known(run(3, 9), ['a'])).get('a')?.fingerprint).toBe('v1');
    await itemStore().forget(run(2), ['gone']);
    expect(await itemStore().markAllUnchanged(run(3), 10)).toBe(true);
  });

  it('takes the rest for seen, and keeps the sync token, where no listing was recorded before', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [well('a')]);
    expect(await itemStore().markRestUnchanged(run(1), rest('version 1'), 9)).toBe(true);
    expect(await itemStore().listing(run(1))).toEqual(LISTED);
    const other = jobs();
    await itemStore().commit(other(1), [well('a'), broken('b')]);
    expect(await itemStore().pending(other(2), NONE, 9)).toEqual(['b']);
    expect(await itemStore().markRestUnchanged(other(2), rest(null, 'b'), 9)).toBe(true);
    expect(await seen(other(2), ['a', 'b'])).toEqual(['a']);
  });

  it('takes for no rest what was gone when the sync token was left', async () => {
    const run = jobs();
    await itemStore().commit(run(1), [well('a'), broken('gone'), well('gone too')], LISTED);
    await itemStore().commit(run(2), [well('a')], LISTED);
    expect(await itemStore().pending(run(3), NONE, 9)).toEqual([]);
    expect(await itemStore().markRestUnchanged(run(3), rest(null), 9)).toBe(true);
    expect(await seen(run(3), ['a', 'gone', 'gone too'])).toEqual(['a']);
    expect(await itemStore().listing(run(4))).toMatchObject({ syncToken: null });
  });
};

/** Every promise of the port `ItemStore`, for any adapter. */
export const itemStoreContract = (name: string, open: () => Promise<OpenItemStore>): void => {
  describe(`${name} as an item store`, () => {
    let opened: OpenItemStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const world = () => opened;
    visitsContract(world);
    listingContract(world);
    touchedItemsContract(world);
  });
};
