import { describe, expect, it } from 'vitest';
import { createPostingCache } from '../../../domain/ranking/posting-cache.ts';
import { NO_POSTINGS, type Postings } from '../../../domain/ranking/postings.ts';

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

  it('of one search are kept together, even where that is more', () => {
    const cache = createPostingCache(500);
    cache.add('one', 'a', postings(100));
    cache.add('one', 'b', postings(100));
    expect([...cache.of('one').keys()]).toEqual(['a', 'b']);
    cache.add('two', 'a', postings(1));
    expect(cache.of('one').size).toBe(0);
  });
});
