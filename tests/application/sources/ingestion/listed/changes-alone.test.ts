import { describe, expect, it } from 'vitest';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { DATA_SOURCE } from '../documents-in-memory.ts';
import { openProvider } from './provider-in-memory.ts';

type Provider = ReturnType<typeof openProvider>;
const FORBIDDEN: FetchedItem = { kind: 'failed', code: 'forbidden', message: 'it says no' };

/** A provider that lists what has changed since its mark; a first job knows all items, of which `failed` could not be had. */
const changing = async (names: readonly string[], failed: readonly string[] = []): Promise<Provider> => {
  const provider = openProvider();
  for (const name of names) provider.world.items.set(name, `text of ${name}`);
  for (const name of failed) provider.world.fetched.set(name, FORBIDDEN);
  provider.world.listing.mark = () => 'token 1';
  await provider.run(1);
  provider.world.fetched.clear();
  provider.asked.length = 0;
  provider.world.listing.mark = () => 'token 2';
  return provider;
};
/** From now on its only page holds these, and says that all others stay but for those that are gone. */
const lists = ({ world }: Provider, changed: readonly string[], gone: readonly string[] = []): void => {
  const itemOf = (locator: string): ListedItem => ({ locator, fingerprint: world.items.get(locator)! });
  world.listing.list = async () => ({
    items: changed.map(itemOf),
    next: null,
    othersStay: { without: new Set(gone) },
  });
};

describe('a provider that lists changes alone', () => {
  it('has all others taken for unchanged, but for those that it says are gone, and keeps its new mark', async () => {
    const provider = await changing(['a', 'b', 'c']);
    provider.world.items.set('a', 'newer').delete('c');
    lists(provider, ['a'], ['c']);
    expect(await provider.run(2)).toMatchObject({
      counts: { seen: 2, indexed: 1, unchanged: 1 },
      complete: true,
    });
    expect(provider.asked).toEqual([['fetch', 'a'], ['close']]);
    expect(await provider.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
    const run = { dataSourceId: DATA_SOURCE, judgedSince: 0 };
    expect(await provider.itemStore.listing({ ...run, generation: 2 })).toMatchObject({
      complete: true,
      mark: 'token 2',
    });
    delete provider.world.listing.mark;
    lists(provider, []);
    await provider.run(3);
    expect(await provider.itemStore.listing({ ...run, generation: 3 })).toMatchObject({ mark: null });
  });

  it('is asked by name for what is owed, a hundred at a time; what it does not find is removed', async () => {
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
    expect(await again.run(2)).toMatchObject({ counts: { seen: 1, failed: 1 } });
    expect(again.asked).toEqual([['find', 'a'], ['fetch', 'a'], ['close']]);
  });

  it('is asked once more where a caller has taken a document out meanwhile', async () => {
    const provider = await changing(['a', 'b']);
    lists(provider, []);
    const { touchRest, forgetDocument } = provider.itemStore;
    let first = true;
    Object.assign(provider.deps.itemStore, {
      touchRest: async (...of: Parameters<typeof touchRest>) => {
        const id = provider.documents.documents.idOf('b');
        if (first) await forgetDocument({ dataSourceId: DATA_SOURCE, generation: 2 }, id);
        first = false;
        return touchRest(...of);
      },
    });
    expect(await provider.run(2)).toMatchObject({ counts: { seen: 2 } });
    expect(provider.asked).toEqual([['find', 'b'], ['fetch', 'b'], ['close']]);
  });

  it('has to be able to find items by their names', async () => {
    const provider = await changing(['a']);
    lists(provider, []);
    Object.assign(provider.world.listing, { find: undefined });
    await expect(provider.run(2)).rejects.toThrow(
      'this provider lists changes, and cannot find items by their names',
    );
  });
});
