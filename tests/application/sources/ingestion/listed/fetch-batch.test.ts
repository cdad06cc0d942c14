import { describe, expect, it } from 'vitest';
import { fetchBatch } from '../../../../../application/sources/ingestion/listed/visit-items.ts';
import type {
  FetchedItem,
  ListedItem,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';

const MB = 1024 ** 2;
const never = new AbortController().signal;
const items = (count: number): readonly ListedItem[] =>
  Array.from({ length: count }, (_, i) => ({ locator: `u${i}`, fingerprint: '1' }));
const sized = (bytes: number): FetchedItem => ({
  kind: 'document',
  document: { body: { sha256: 'a'.repeat(64), bytes }, url: '' },
});
const fetching = (fetches: number, fetch: (item: ListedItem) => Promise<FetchedItem>, count = 200) =>
  fetchBatch({ listing: { list: null as never, fetch }, fetches }, items(count), never);

describe('what is fetched together', () => {
  it.each([
    ['128 small ones', 1, 1_000, 128],
    ['as many as come up to 8 MB', 1, 2 * MB, 4],
    ['the one that is larger', 1, 9 * MB, 1],
    ['what was asked for before the others had come', 3, 9 * MB, 3],
  ])('is %s', async (_, fetches, bytes, count) => {
    const batch = await fetching(fetches, async () => sized(bytes));
    expect(batch.map(({ item }) => item.locator)).toEqual(items(count).map(({ locator }) => locator));
    expect(batch[0]!.fetched).toEqual(sized(bytes));
  });

  it('asks for no more once one has failed, and fails when none is under way', async () => {
    const asked: string[] = [];
    const slow = Promise.withResolvers<FetchedItem>();
    const batch = fetching(2, async ({ locator }) => {
      asked.push(locator);
      if (locator === 'u0') throw new Error('it is away');
      return slow.promise;
    });
    let settled = false;
    const done = batch.catch((error: unknown) => {
      settled = true;
      return error;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([settled, asked]).toEqual([false, ['u0', 'u1']]);
    slow.resolve(sized(1));
    expect(await done).toEqual(new Error('it is away'));
    expect(asked).toEqual(['u0', 'u1']);
  });
});
