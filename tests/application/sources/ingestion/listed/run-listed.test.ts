import { sha256 } from '../../../../../adapters/system/identity.ts';
import { sourceStream } from '../../../../../application/event-sourcing/streams.ts';
import { WorkLost } from '../../../../../application/jobs/work-handler.ts';
import {
  type FetchedItem,
  type ListedItem,
  SourceUnavailable,
  SourceRefused,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { usableItems } from '../../../../../application/sources/ingestion/listed/visit-items.ts';
import { NO_COUNTS } from '../../../../../domain/data-source/index.ts';
import { DATA_SOURCE } from '../documents-in-memory.ts';
import { NAMES, type Provider as MemoryProvider, fill, known, openProvider } from './provider-in-memory.ts';
import { describe, expect, it } from 'vitest';

const fetchedBy = ({ asked }: MemoryProvider) =>
  asked.flatMap((one) => ((one as readonly string[])[0] === 'fetch' ? [(one as readonly string[])[1]] : []));

describe('a job on items that a provider lists', () => {
  it('opens the provider, begins, reads page by page what it lists, and counts what it has found', async () => {
    const provider = openProvider();
    fill(provider);
    const bytes = 3 * 'text of a'.length;
    expect(await provider.run(1)).toEqual({
      kind: 'completed',
      counts: { ...NO_COUNTS, seen: 3, indexed: 3, bytes },
      complete: true,
    });
    const [[a, b], [c]] = [
      [
        ['fetch', 'a'],
        ['fetch', 'b'],
      ],
      [['fetch', 'c']],
    ];
    expect(provider.asked).toEqual([['list', null], a, b, ['list', 'b'], c, ['close']]);
    expect(provider.documents.told[0]).toEqual(['begin']);
    expect(provider.opened).toEqual([
      {
        tenant: 'acme',
        dataSourceId: DATA_SOURCE,
        syncToken: null,
        readAll: true,
        known: expect.any(Function),
      },
    ]);
    const [fact] = await provider.documents.stored(sourceStream(provider.documents.documents.idOf('a')));
    expect(fact).toMatchObject({
      type: 'SourceIndexed',
      url: 'https://host.example/a',
      media_type: 'application/octet-stream',
    });
  });

  it('fails with the reason of the first where every item fails, and not where one is as it was', async () => {
    const provider = openProvider();
    fill(provider);
    const failed = { kind: 'failed', code: 'too_large', message: 'it has too many bytes' } as const;
    for (const name of NAMES) provider.world.fetched.set(name, failed);
    const error = {
      title: 'Too large',
      message: 'none of 3 could be read; the first, a: it has too many bytes',
    };
    expect(await provider.run(1)).toEqual({ kind: 'failed', code: 'too_large', error });
    provider.world.fetched.delete('b');
    expect(await provider.run(2)).toMatchObject({ kind: 'completed', counts: { indexed: 1, failed: 2 } });
    expect(await provider.run(3)).toMatchObject({ kind: 'completed', counts: { unchanged: 1, failed: 2 } });
  });

  it('fetches what has changed alone, and removes what is listed no more', async () => {
    const provider = await known();
    provider.world.items.set('b', 'another text').delete('c');
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 2, indexed: 1, unchanged: 1 } });
    expect(fetchedBy(provider)).toEqual(['b']);
    expect(await provider.factsOf('b')).toEqual(['SourceIndexed', 'SourceIndexed']);
    expect(await provider.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
    expect(provider.outcomes()).toEqual({ a: 'unchanged', b: 'indexed' });
  });

  it('reads everything where it is full, or items are judged in another way since, and finds what is the same', async () => {
    const provider = await known();
    await provider.run(2, { mode: 'full' });
    expect(fetchedBy(provider)).toEqual(NAMES);
    expect(provider.outcomes()).toEqual({ a: 'unchanged', b: 'unchanged', c: 'unchanged' });
    provider.world.rulesChangedAt = provider.documents.time.now + 1;
    await provider.run(3);
    expect(fetchedBy(provider)).toEqual([...NAMES, ...NAMES]);
  });

  it('fetches nothing while it waits for its slot, and stops with the reason where it is to stop', async () => {
    const provider = await known();
    provider.world.items.set('a', 'newer a');
    const slot = Promise.withResolvers<void>();
    provider.documents.yieldSlot = () => slot.promise;
    const run = provider.run(2);
    run.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    slot.reject('canceled');
    await expect(run).rejects.toBe('canceled');
    expect(fetchedBy(provider)).toEqual([]);
  });

  it('tells the provider the sync token of the last whole listing, where what is known counts', async () => {
    const provider = await known();
    provider.world.listing.syncToken = () => 'version 2';
    await provider.run(2);
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: 'version 1', readAll: false });
    await provider.run(3, { mode: 'full' });
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: null, readAll: true });
    delete provider.world.listing.syncToken;
    await provider.run(4);
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: 'version 2' });
    await provider.run(5);
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: null });
  });

  it('goes on with the page where an attempt before it has broken off, which then trusts no sync token', async () => {
    const provider = await known();
    for (const name of NAMES) provider.world.items.set(name, `newer ${name}`);
    provider.world.onFetch = (name) => {
      if (name === 'c') throw new SourceUnavailable('it is away');
    };
    const error = { title: 'Provider not reachable', message: 'it is away' };
    expect(await provider.run(2)).toEqual({ kind: 'transient', error });
    provider.world.onFetch = () => {};
    provider.asked.length = 0;
    expect(await provider.run(2)).toMatchObject({ kind: 'completed', counts: { seen: 3, indexed: 3 } });
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: null });
    expect(provider.asked).toEqual([['list', 'b'], ['fetch', 'c'], ['close']]);
    // All is listed: another attempt has nothing more to ask.
    provider.asked.length = 0;
    await provider.run(2);
    expect([provider.asked, provider.opened.at(-1)?.syncToken]).toEqual([[['close']], null]);
  });

  it('lists nothing where the provider says that nothing has changed, and nothing is pending', async () => {
    const provider = await known();
    provider.world.listing.unchanged = true;
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 3, unchanged: 3 }, complete: true });
    expect(provider.asked).toEqual([['close']]);
    for (const more of [{ mode: 'full' }, { locators: ['a'] }] as const) {
      provider.asked.length = 0;
      await provider.run(3, more);
      expect(fetchedBy(provider)).toEqual(more.mode === 'full' ? NAMES : []);
      expect(provider.asked).not.toEqual([['close']]);
    }
    provider.documents.assertLeaseHeld = () => {
      throw new WorkLost('frozen');
    };
    await expect(provider.run(4)).rejects.toThrow(WorkLost);
    expect(provider.rowOf('a')).toMatchObject({ generation: 3 });
  });

  it('lists all the same where nothing has changed but an item failed', async () => {
    const provider = await known();
    provider.world.fetched.set('b', { kind: 'failed', code: 'forbidden', message: 'it says no' });
    await provider.run(2, { mode: 'full' });
    provider.world.fetched.clear();
    provider.world.listing.unchanged = true;
    provider.asked.length = 0;
    await provider.run(3);
    expect(fetchedBy(provider)).toEqual(['b']);
  });

  it.each(['lost', 'told to stop'])('does not take a page for done once the job is %s', async (how) => {
    const provider = openProvider();
    provider.world.items.set('a', 'text of a');
    let looks = 0;
    provider.documents.assertLeaseHeld = () => {
      looks += 1;
      if (how === 'lost' && provider.rowOf('a') !== undefined) throw new WorkLost('frozen');
    };
    const { commit } = provider.itemStore;
    Object.assign(provider.deps.itemStore, {
      commit: async (...of: Parameters<typeof commit>) => {
        await commit(...of);
        if (how !== 'lost') provider.stop.abort(new Error('told to stop'));
      },
    });
    await expect(provider.run(1)).rejects.toThrow(how === 'lost' ? 'frozen' : how);
    expect(looks).toBeGreaterThan(0);
    expect(provider.outcomes()).toEqual({ a: 'indexed' });
    const run = { dataSourceId: DATA_SOURCE, generation: 1, rulesChangedAt: 0 };
    expect(await provider.itemStore.listing(run)).toMatchObject({ complete: false });
  });

  it('is tried again where the list leads to itself', async () => {
    const provider = openProvider();
    provider.world.listing.list = async () => ({ items: [], next: 'x' });
    const message = 'its listing does not advance: a page names itself as the next one';
    expect(await provider.run(1)).toMatchObject({ kind: 'transient', error: { message } });
  });

  it('removes documents that no item is known of, and more of them than fit into one look', async () => {
    const provider = openProvider();
    const names = Array.from({ length: 250 }, (_, i) => `u${String(i).padStart(3, '0')}`);
    fill(provider, names);
    await provider.run(1);
    provider.catalog.ids = names.slice(0, 101).map(provider.documents.documents.idOf);
    await provider.itemStore.purge('');
    for (const name of names.slice(101)) {
      const visit = {
        locator: name,
        outcome: 'indexed',
        code: null,
        message: null,
        bytes: 0,
        at: 1,
      } as const;
      const of = { sourceId: provider.documents.documents.idOf(name), fingerprint: 'x', attempt: 1 };
      await provider.itemStore.commit({ dataSourceId: DATA_SOURCE, generation: 1, rulesChangedAt: 0 }, [
        { ...visit, ...of },
      ]);
    }
    provider.world.items.clear();
    const { orphans } = provider.itemStore;
    const from: unknown[] = [];
    Object.assign(provider.deps.itemStore, {
      orphans: async (...of: Parameters<typeof orphans>) => {
        from.push(of[1]);
        return orphans(...of);
      },
    });
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 0 } });
    expect(from).toEqual([null, provider.catalog.ids.toSorted()[99]]);
    const stray = sourceStream(provider.catalog.ids[0]!);
    expect((await provider.documents.stored(stray)).at(-1)).toMatchObject({ reason: 'not_seen' });
    for (const name of names) expect((await provider.factsOf(name)).at(-1)).toBe('SourceRemoved');
    expect(provider.outcomes()).toEqual({});
  });
});

const FORBIDDEN: FetchedItem = { kind: 'failed', code: 'forbidden', message: 'it says no' };

describe('a provider that lists changes alone', () => {
  type Provider = ReturnType<typeof openProvider>;

  /** A provider that lists what has changed since its sync token; a first job knows all items, of which `failed` could not be had. */
  const changing = async (names: readonly string[], failed: readonly string[] = []): Promise<Provider> => {
    const provider = openProvider();
    for (const name of names) provider.world.items.set(name, `text of ${name}`);
    for (const name of failed) provider.world.fetched.set(name, FORBIDDEN);
    provider.world.listing.syncToken = () => 'token 1';
    await provider.run(1);
    provider.world.fetched.clear();
    provider.asked.length = 0;
    provider.world.listing.syncToken = () => 'token 2';
    return provider;
  };

  /** From now on its only page holds these, and says that all others stay but for those that are gone. */
  const lists = ({ world }: Provider, changed: readonly string[], gone: readonly string[] = []): void => {
    const itemOf = (locator: string): ListedItem => ({ locator, fingerprint: world.items.get(locator)! });
    world.listing.list = async () => ({
      items: changed.map(itemOf),
      next: null,
      othersUnchanged: { without: new Set(gone) },
    });
  };

  it('has all others taken for unchanged, but for those that it says are gone, and keeps its new sync token', async () => {
    const provider = await changing(['a', 'b', 'c']);
    provider.world.items.set('a', 'newer').delete('c');
    lists(provider, ['a'], ['c']);
    expect(await provider.run(2)).toMatchObject({
      counts: { seen: 2, indexed: 1, unchanged: 1 },
      complete: true,
    });
    expect(provider.asked).toEqual([['fetch', 'a'], ['close']]);
    expect(await provider.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
    const run = { dataSourceId: DATA_SOURCE, rulesChangedAt: 0 };
    expect(await provider.itemStore.listing({ ...run, generation: 2 })).toMatchObject({
      complete: true,
      syncToken: 'token 2',
    });
    delete provider.world.listing.syncToken;
    lists(provider, []);
    await provider.run(3);
    expect(await provider.itemStore.listing({ ...run, generation: 3 })).toMatchObject({ syncToken: null });
  });

  it('is asked by name for pending work, a hundred at a time; what it does not find is removed', async () => {
    const failed = Array.from({ length: 150 }, (_, i) => `f${String(i).padStart(3, '0')}`);
    const provider = await changing(['a', ...failed], failed.slice(0, 149));
    provider.world.items.delete('f000');
    lists(provider, []);
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 150, indexed: 148, unchanged: 2 } });
    const finds = provider.asked.filter(
      (one) => (one as readonly string[])[0] === 'find',
    ) as readonly (readonly string[])[];
    expect(finds.map((one) => one.length - 1)).toEqual([100, 49]);
    expect(await provider.factsOf('f000')).toEqual(['SourceFailed', 'SourceRemoved']);
    expect(await provider.factsOf('f001')).toEqual(['SourceFailed', 'SourceIndexed']);
    // It was looked at once, although it fails again.
    const again = await changing(['a'], ['a']);
    again.world.fetched.set('a', FORBIDDEN);
    lists(again, []);
    expect(await again.run(2)).toMatchObject({ kind: 'failed' });
    expect(again.asked).toEqual([['find', 'a'], ['fetch', 'a'], ['close']]);
  });

  it('may list changes alone from its first job on: what leaves it stays, and its sync token is kept', async () => {
    const provider = openProvider();
    for (const name of ['a', 'b']) provider.world.items.set(name, `text of ${name}`);
    provider.world.listing.syncToken = () => 'version 1';
    lists(provider, ['a']);
    await provider.run(1);
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: null });
    lists(provider, ['b']);
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 2, indexed: 1, unchanged: 1 } });
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: 'version 1' });
    expect(await provider.factsOf('a')).toEqual(['SourceIndexed']);
  });

  it('is asked once more where a caller has taken a document out meanwhile', async () => {
    const provider = await changing(['a', 'b']);
    lists(provider, []);
    const { markRestUnchanged, forgetDocument } = provider.itemStore;
    let first = true;
    Object.assign(provider.deps.itemStore, {
      markRestUnchanged: async (...of: Parameters<typeof markRestUnchanged>) => {
        const id = provider.documents.documents.idOf('b');
        if (first) await forgetDocument({ dataSourceId: DATA_SOURCE, generation: 2 }, id);
        first = false;
        return markRestUnchanged(...of);
      },
    });
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 2 } });
    expect(provider.asked).toEqual([['find', 'b'], ['fetch', 'b'], ['close']]);
  });
});

describe('a job on named items', () => {
  it('looks at these alone, removes those that are not there any more, and leaves all others', async () => {
    const provider = await known();
    provider.world.items.set('a', 'newer').delete('b');
    provider.world.items.delete('c');
    expect(await provider.run(2, { locators: ['a', 'b', 'x'], attempt: 3 })).toEqual({
      kind: 'completed',
      counts: expect.objectContaining({ seen: 1, indexed: 1 }),
      complete: false,
    });
    expect(provider.asked).toEqual([['find', 'a', 'b', 'x'], ['fetch', 'a'], ['close']]);
    expect(await provider.factsOf('b')).toEqual(['SourceIndexed', 'SourceRemoved']);
    expect([await provider.factsOf('c'), await provider.factsOf('x')]).toEqual([['SourceIndexed'], []]);
    expect(provider.outcomes()).toEqual({ a: 'indexed', c: 'indexed' });
    expect(provider.opened.at(-1)).toMatchObject({ syncToken: 'version 1' });
    expect(provider.rowOf('a')).toMatchObject({ attempt: 3 });
  });

  it('succeeds where every one of them fails, for it says nothing of the others', async () => {
    const provider = await known();
    provider.world.items.set('a', 'newer');
    provider.world.fetched.set('a', { kind: 'failed', code: 'too_large', message: 'it has too many bytes' });
    expect(await provider.run(2, { locators: ['a'] })).toMatchObject({
      kind: 'completed',
      counts: { seen: 1, failed: 1 },
    });
  });

  it('is for providers that can find items by their names', async () => {
    const provider = await known();
    provider.world.listing = { find: undefined } as never;
    const run = provider.run(2, { locators: ['a'] });
    await expect(run).rejects.toThrow('a provider of named items must implement find');
    expect(provider.asked).toEqual([['close']]);
  });

  it('writes nothing of those that are gone once the job is lost', async () => {
    const provider = await known();
    provider.world.items.clear();
    let looks = 0;
    provider.documents.assertLeaseHeld = () => {
      // Before the facts, in the writing of the fact, and before the item store.
      if ((looks += 1) === 3) throw new WorkLost('frozen');
    };
    await expect(provider.run(2, { locators: ['a'] })).rejects.toThrow(WorkLost);
    expect(provider.outcomes()).toMatchObject({ a: 'indexed' });
  });
});

describe('what goes wrong with a provider', () => {
  it('fails the job where it says no, and puts it off where it asks to come later', async () => {
    const provider = await known();
    const fail = (error: Error): void => {
      provider.world.source.open = async () => {
        throw error;
      };
    };
    fail(new SourceRefused('not_found', 'Not found at the provider', 'there is no such folder'));
    expect(await provider.run(2)).toEqual({
      kind: 'failed',
      code: 'not_found',
      error: { title: 'Not found at the provider', message: 'there is no such folder' },
    });
    fail(new SourceUnavailable('too many requests', { notBefore: 9 }));
    const error = { title: 'Provider not reachable', message: 'too many requests' };
    expect(await provider.run(2)).toEqual({ kind: 'transient', error, notBefore: 9 });
    fail(new SourceUnavailable('too many requests'));
    expect(Object.keys(await provider.run(2))).toEqual(['kind', 'error']);
    fail(new Error('no such column'));
    await expect(provider.run(2)).rejects.toThrow('no such column');
  });
});

const item = (locator: string, fingerprint = '1') => ({ locator, fingerprint });

it('takes each name once, the first of those that are the same', () => {
  const { usable, refused } = usableItems(sha256, [item('a', '1'), item('b'), item('a', '2')]);
  expect([usable, refused]).toEqual([[item('a', '1'), item('b')], []]);
});

it('refuses names that are empty, too long or hold a NUL, each under a name of its own', () => {
  const long = 'x'.repeat(2_001);
  const odd = ['', long, `${long}y`, 'nul\0'];
  const { usable, refused } = usableItems(
    sha256,
    [...odd, 'x'.repeat(2_000)].map((name) => item(name)),
  );
  expect(usable.map(({ locator }) => locator.length)).toEqual([2_000]);
  expect(refused.map(({ fetched }) => fetched.code)).toEqual([
    'locator_empty',
    'locator_too_long',
    'locator_too_long',
    'locator_invalid',
  ]);
  expect(refused.map(({ fetched }) => fetched.message)).toEqual([
    'the provider returns no name for it',
    'its name has more than 2000 characters',
    'its name has more than 2000 characters',
    'its name contains a NUL character',
  ]);
  expect(refused[3]!.locator).toBe(`nul…${sha256.sha256('nul\0').slice(0, 16)}`);
  const names = refused.map(({ locator }) => locator);
  expect(new Set(names).size).toBe(4);
  expect(names.every((name) => name.length < 300 && !name.includes('\0'))).toBe(true);
});
