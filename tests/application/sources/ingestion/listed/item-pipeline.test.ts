import { describe, expect, it } from 'vitest';
import { pipelined } from '../../../../../application/sources/ingestion/listed/item-pipeline.ts';

const MB = 1024 ** 2;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Adds works of so many bytes one after the other, each of which is committed by hand. */
const adding = (sizes: readonly number[]) => {
  const begun: number[] = [];
  const commits: (() => void)[] = [];
  const done = pipelined(async (pipeline) => {
    for (const [nth, bytes] of sizes.entries()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      await pipeline.add({
        locators: [String(nth)],
        bytes,
        read: async () => {
          begun.push(nth);
          commits[nth] = resolve;
        },
        commit: () => promise,
      });
    }
  });
  return { begun, commits, done };
};

describe('batches on their way', () => {
  it.each([
    ['six small ones', Array.from({ length: 8 }, () => 100_000), 6],
    ['three, whatever they hold', Array.from({ length: 8 }, () => 50 * MB), 3],
    ['as many as have 24 MB together', [8 * MB, 8 * MB, 4 * MB, 4 * MB, 1], 4],
  ])('are %s', async (_, sizes, most) => {
    const { begun, commits, done } = adding(sizes);
    await settled();
    expect(begun).toHaveLength(most);
    for (let nth = 0; nth < sizes.length; nth += 1) {
      commits[nth]!();
      await settled();
    }
    await done;
    expect(begun).toEqual(Array.from(sizes.keys()));
  });

  it('end with what failed first, which is looked at in its turn', async () => {
    const [first, broken] = [Promise.withResolvers<void>(), new Error('the disk is full')];
    const committed: string[] = [];
    const done = pipelined(async (pipeline) => {
      const work = (name: string, read: () => Promise<void>) => ({
        locators: [name],
        bytes: 1,
        read,
        commit: async () => void committed.push(name),
      });
      await pipeline.add(work('a', () => first.promise));
      await pipeline.add(work('b', () => Promise.reject(broken)));
      await pipeline.add(work('c', () => Promise.reject(new Error('later'))));
    }).catch((error: unknown) => error);
    await settled();
    first.resolve();
    expect([await done, committed]).toEqual([broken, ['a']]);
  });
});
