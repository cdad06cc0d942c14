import { describe, expect, it } from 'vitest';
import { SourceAway } from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { sourceStream } from '../../../../../application/event-sourcing/streams.ts';
import { WorkLost } from '../../../../../application/jobs/work-handler.ts';
import { NO_COUNTS } from '../../../../../domain/data-source/index.ts';
import { DATA_SOURCE } from '../documents-in-memory.ts';
import { fill, known, NAMES, openProvider, type Provider } from './provider-in-memory.ts';

const fetched = ({ asked }: Provider) =>
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
      { tenant: 'acme', dataSourceId: DATA_SOURCE, mark: null, afresh: true, known: expect.any(Function) },
    ]);
    const [fact] = await provider.documents.stored(sourceStream(provider.documents.documents.idOf('a')));
    expect(fact).toMatchObject({
      type: 'SourceIndexed',
      url: 'https://host.example/a',
      media_type: 'application/octet-stream',
    });
  });

  it('fetches what has changed alone, and removes what is listed no more', async () => {
    const provider = await known();
    provider.world.items.set('b', 'another text').delete('c');
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 2, indexed: 1, unchanged: 1 } });
    expect(fetched(provider)).toEqual(['b']);
    expect(await provider.factsOf('b')).toEqual(['SourceIndexed', 'SourceIndexed']);
    expect(await provider.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
    expect(provider.outcomes()).toEqual({ a: 'unchanged', b: 'indexed' });
  });

  it('reads everything where it is full, or items are judged in another way since, and finds what is the same', async () => {
    const provider = await known();
    await provider.run(2, { mode: 'full' });
    expect(fetched(provider)).toEqual(NAMES);
    expect(provider.outcomes()).toEqual({ a: 'unchanged', b: 'unchanged', c: 'unchanged' });
    provider.world.judgedSince = provider.documents.time.now + 1;
    await provider.run(3);
    expect(fetched(provider)).toEqual([...NAMES, ...NAMES]);
  });

  it('tells the provider the mark of the last whole listing, where what is known counts', async () => {
    const provider = await known();
    provider.world.listing.mark = () => 'version 2';
    await provider.run(2);
    expect(provider.opened.at(-1)).toMatchObject({ mark: 'version 1', afresh: false });
    await provider.run(3, { mode: 'full' });
    expect(provider.opened.at(-1)).toMatchObject({ mark: null, afresh: true });
    delete provider.world.listing.mark;
    await provider.run(4);
    expect(provider.opened.at(-1)).toMatchObject({ mark: 'version 2' });
    await provider.run(5);
    expect(provider.opened.at(-1)).toMatchObject({ mark: null });
  });

  it('goes on with the page where an attempt before it has broken off, which then trusts no mark', async () => {
    const provider = await known();
    for (const name of NAMES) provider.world.items.set(name, `newer ${name}`);
    provider.world.onFetch = (name) => {
      if (name === 'c') throw new SourceAway('it is away');
    };
    const error = { title: 'Provider not reachable', message: 'it is away' };
    expect(await provider.run(2)).toEqual({ kind: 'transient', error });
    provider.world.onFetch = () => {};
    provider.asked.length = 0;
    expect(await provider.run(2)).toMatchObject({ kind: 'completed', counts: { seen: 3, indexed: 3 } });
    expect(provider.opened.at(-1)).toMatchObject({ mark: null });
    expect(provider.asked).toEqual([['list', 'b'], ['fetch', 'c'], ['close']]);
    // All is listed: another attempt has nothing more to ask.
    provider.asked.length = 0;
    await provider.run(2);
    expect([provider.asked, provider.opened.at(-1)?.mark]).toEqual([[['close']], null]);
  });

  it('lists nothing where the provider says that nothing has changed, and nothing is owed', async () => {
    const provider = await known();
    provider.world.listing.unchanged = true;
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 3, unchanged: 3 }, complete: true });
    expect(provider.asked).toEqual([['close']]);
    for (const more of [{ mode: 'full' }, { locators: ['a'] }] as const) {
      provider.asked.length = 0;
      await provider.run(3, more);
      expect(fetched(provider)).toEqual(more.mode === 'full' ? NAMES : []);
      expect(provider.asked).not.toEqual([['close']]);
    }
    provider.documents.stillOurs = () => {
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
    expect(fetched(provider)).toEqual(['b']);
  });

  it.each(['lost', 'told to stop'])('does not take a page for done once the job is %s', async (how) => {
    const provider = openProvider();
    provider.world.items.set('a', 'text of a');
    let looks = 0;
    provider.documents.stillOurs = () => {
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
    const run = { dataSourceId: DATA_SOURCE, generation: 1, judgedSince: 0 };
    expect(await provider.itemStore.listing(run)).toMatchObject({ complete: false });
  });

  it('is tried again where the list leads to itself', async () => {
    const provider = openProvider();
    provider.world.listing.list = async () => ({ items: [], next: 'x' });
    const message = 'its list does not go on: it leads to itself';
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
      await provider.itemStore.commit({ dataSourceId: DATA_SOURCE, generation: 1, judgedSince: 0 }, [
        { ...visit, ...of },
      ]);
    }
    provider.world.items.clear();
    const { strays } = provider.itemStore;
    const from: unknown[] = [];
    Object.assign(provider.deps.itemStore, {
      strays: async (...of: Parameters<typeof strays>) => {
        from.push(of[1]);
        return strays(...of);
      },
    });
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 0 } });
    expect(from).toEqual([null, provider.catalog.ids.toSorted()[99]]);
    const stray = sourceStream(provider.catalog.ids[0]!);
    expect((await provider.documents.stored(stray)).at(-1)).toMatchObject({ reason: 'not_seen' });
    for (const name of names) expect((await provider.factsOf(name)).at(-1)).toBe('SourceRemoved');
    expect(provider.outcomes()).toEqual({});
  });

  it.each(['list', 'strays', 'unseen'])('does nothing more once it is told to stop, at: %s', async (at) => {
    const provider = await known();
    const stop = (): void => provider.stop.abort(new Error('told to stop'));
    const { unseen, strays } = provider.itemStore;
    const itemStore = provider.deps.itemStore as {
      -readonly [K in keyof typeof provider.itemStore]: (typeof provider.itemStore)[K];
    };
    provider.world.items.delete('c');
    let asked = 0;
    if (at === 'list') provider.world.onFetch = stop;
    if (at === 'unseen')
      itemStore.unseen = (...of) => {
        stop();
        asked += 1;
        return unseen(...of);
      };
    if (at === 'strays')
      itemStore.strays = async (...of) => {
        stop();
        await strays(...of);
        return Array.from({ length: 100 }, (_, i) => `stray ${i}`);
      };
    provider.world.items.set('a', 'newer');
    await expect(provider.run(2)).rejects.toThrow('told to stop');
    expect(provider.asked.at(-1)).toEqual(['close']);
    const pages = provider.asked.filter((one) => (one as readonly string[])[0] === 'list').length;
    expect([pages, asked]).toEqual([1, at === 'unseen' ? 1 : 0]);
    expect(await provider.factsOf('c')).toHaveLength(at === 'list' ? 1 : 2);
  });
});
