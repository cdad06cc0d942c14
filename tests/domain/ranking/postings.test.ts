import { describe, expect, it } from 'vitest';
import { createPostingCache, createSegmentCache } from '../../../domain/ranking/segment-cache.ts';
import { createByteWriter } from '../../../domain/ranking/byte-writer.ts';
import { createPostingPacker } from '../../../domain/ranking/packed-postings.ts';
import { NO_POSTINGS, packStatistics, type Postings, postingsOf } from '../../../domain/ranking/postings.ts';

describe('postings in memory', () => {
  const postings = (length: number): Postings => ({
    ...NO_POSTINGS,
    offsets: new Uint32Array(length),
    statistics: new Int32Array(length),
  });

  it('are at most as many bytes as allowed: the segment that was not asked for longest goes', () => {
    const cache = createPostingCache(3_000);
    for (const key of ['one', 'two']) cache.add(key, 'a', postings(100));
    expect(cache.of('one').has('a')).toBe(true);
    cache.add('three', 'a', postings(100));
    expect(['one', 'two', 'three'].map((key) => cache.of(key).has('a'))).toEqual([true, false, true]);
  });

  it('may take all that is allowed, and are counted once', () => {
    const cache = createSegmentCache<number>(10, (bytes) => bytes);
    for (const key of ['one', 'one', 'two']) cache.add(key, 'a', 5);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([1, 1]);
    cache.add('two', 'b', 1);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([0, 2]);
  });

  it('of one search are kept together, even where that is more', () => {
    const cache = createPostingCache(500);
    cache.add('one', 'a', postings(100));
    cache.add('one', 'b', postings(100));
    expect([...cache.of('one').keys()]).toEqual(['a', 'b']);
    cache.add('two', 'a', postings(1));
    expect(cache.of('one').size).toBe(0);
  });
});

describe('a set of the contents that have a term', () => {
  it('is made where they are a sixteenth of the segment', () => {
    const isSet = (contents: number, numbers: number): boolean => {
      const offsets = Uint32Array.from({ length: contents }, (_, i) => i);
      const segment = { segment: 1, firstNo: 5, lastNo: 4 + numbers };
      return postingsOf({ offsets, statistics: new Int32Array(contents) }, segment).bits !== null;
    };
    expect([isSet(2, 32), isSet(2, 33), isSet(3, 33)]).toEqual([true, false, true]);
  });
});

describe('packed postings', () => {
  const bytesOf = (add: (packer: ReturnType<typeof createPostingPacker>) => void): readonly number[] => {
    const writer = createByteWriter();
    add(createPostingPacker(writer));
    return [...writer.take()];
  };
  const once = packStatistics(1, 50, 0, 2);

  it('take a byte for a content that has the term once, and two or three for another', () => {
    const bytes = bytesOf(({ add }) => {
      add(0, once);
      add(1, once);
      add(4, packStatistics(3, 50, 0, 2));
      add(5, packStatistics(3, 50, 1, 2));
    });
    expect(bytes).toEqual([0, 0, 2 * 2 + 1, 3, 1, 3 + 128, 1]);
  });

  it('begin anew with each term', () => {
    const bytes = bytesOf(({ add, begin }) => {
      add(2, once);
      begin();
      add(2, once);
    });
    expect(bytes).toEqual([4, 4]);
  });
});
