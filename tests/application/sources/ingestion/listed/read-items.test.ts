import { describe, expect, it } from 'vitest';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { sourceStream } from '../../../../../application/event-sourcing/streams.ts';
import { EMAIL } from '../documents-in-memory.ts';
import { openProvider } from './provider-in-memory.ts';
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
});
