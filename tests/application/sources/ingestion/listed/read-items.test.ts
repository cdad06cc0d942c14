import { describe, expect, it } from 'vitest';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { sourceStream } from '../../../../../application/event-sourcing/streams.ts';
import { documentOf, EMAIL } from '../documents-in-memory.ts';
import { openProvider } from './provider-in-memory.ts';

const MB = 1024 ** 2;
const item = (locator: string, fingerprint = '1'): ListedItem => ({ locator, fingerprint });
const items = (...names: readonly string[]) => names.map((name) => item(name));
const withTexts = (names: readonly string[], rules = [EMAIL]) => {
  const provider = openProvider(rules);
  for (const name of names) provider.world.items.set(name, `text of ${name}`);
  return provider;
};

describe('items that are fetched together', () => {
  it('become what each of them is', async () => {
    const provider = withTexts(['one', 'two']);
    const about = { kind: 'skipped', reason: 'too_large', message: 'it is too large' } as const;
    const gives: readonly [string, FetchedItem][] = [
      ['film', { ...about, title: 'Film of a@b.example' }],
      ['odd', about],
      ['other', { kind: 'failed', code: 'forbidden', message: 'it says no' }],
      ['gone', { kind: 'gone' }],
    ];
    for (const [name, what] of gives) provider.world.fetched.set(name, what);
    await provider.visit(items('one', 'film', 'odd', 'two', 'other', 'gone'));
    expect(provider.outcomes()).toEqual({
      film: 'skipped',
      odd: 'skipped',
      one: 'indexed',
      other: 'failed',
      two: 'indexed',
    });
    const { documents } = provider;
    const factOf = async (name: string) =>
      (await documents.stored(sourceStream(documents.documents.idOf(name))))[0];
    expect(await factOf('film')).toMatchObject({ type: 'SourceSkipped', title: 'Film of [email]' });
    expect(await factOf('odd')).not.toHaveProperty('title');
    expect(await factOf('one')).toMatchObject({ title: 'On text of one', raw: { bytes: 11 } });
    expect(await factOf('two')).toMatchObject({ title: 'On text of two' });
    expect(await factOf('gone')).toBeUndefined();
    const progress = documents.told.filter(([what]) => what === 'progress');
    expect(progress).toEqual([['progress', expect.objectContaining({ seen: 5, indexed: 2 })]]);
  });

  it('have rows that could not be read listed, but under no name that an item has', async () => {
    const provider = withTexts(['a', 'a#row=1']);
    const rowErrors = [1, 2].map((row) => ({ row, key: null, message: 'it breaks off' }));
    provider.documents.read = (text) => documentOf(text, text === 'text of a' ? { rowErrors } : {});
    await provider.visit(items('a', 'a#row=1'));
    expect(provider.outcomes()).toEqual({ a: 'indexed', 'a#row=1': 'indexed', 'a#row=2': 'row_failed' });
  });

  it('are announced before they are fetched: those that have changed, where there are any', async () => {
    const provider = withTexts(['a', 'b']);
    const prepared: unknown[] = [];
    provider.world.listing.prepare = async (which) => void prepared.push(which.map(({ locator }) => locator));
    await provider.visit(items('a', 'b'));
    provider.documents.generation += 1;
    await provider.visit([item('a'), item('b', '2')]);
    provider.documents.generation += 1;
    await provider.visit([item('a'), item('b', '2')]);
    expect(prepared).toEqual([['a', 'b'], ['b']]);
  });

  it('wait for those before them where they are large, however much could be fetched', async () => {
    const provider = withTexts([]);
    const names = Array.from({ length: 9 }, (_, i) => `u${i}`);
    const body = { sha256: 'a'.repeat(64), bytes: 9 * MB };
    const document = { body, url: 'https://host.example/' };
    for (const name of names) provider.world.fetched.set(name, { kind: 'document', document });
    const { extractor } = provider.documents.deps as { readonly extractor: object };
    const read = Promise.withResolvers<void>();
    Object.assign(extractor, { extractBatch: () => read.promise.then(() => [documentOf('x')]) });
    const visiting = provider.visit(items(...names));
    await new Promise((resolve) => setImmediate(resolve));
    // Three are read, and the fourth waits for its turn.
    expect(provider.asked).toHaveLength(4);
    read.resolve();
    await visiting;
    expect(provider.asked).toHaveLength(9);
  });
});

describe('items that are looked at again', () => {
  it('in the same job, by whoever brings them anew, are read where they have changed since', async () => {
    const provider = withTexts(['a', 'b']);
    await provider.visit(items('a', 'b'));
    provider.asked.length = 0;
    await provider.visit([item('a'), item('b', '2')]);
    expect(provider.asked).toEqual([]);
    await provider.visit([item('a'), item('b', '2')], { again: true });
    expect(provider.asked).toEqual([['fetch', 'b']]);
  });

  it('are not recorded once more where their name cannot be used', async () => {
    const provider = withTexts([]);
    await provider.visit(items(''));
    await provider.visit(items(''), {}, 2);
    const [[name, outcome]] = Object.entries(provider.outcomes()) as [[string, string]];
    expect([outcome, provider.rowOf(name)?.attempt]).toEqual(['failed', 1]);
  });
});
