import { describe, expect, it } from 'vitest';
import { pipelined } from '../../../../../application/sources/ingestion/listed/item-pipeline.ts';
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('batches on their way', () => {
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
