import { expect, it } from 'vitest';
import { createLruCache } from '../../../adapters/postgres/lru-cache.ts';

it('drops the least recently used values when others need their place', () => {
  const cache = createLruCache<string>(10, ({ length }) => length);
  cache.set('a', 'aaaa');
  cache.set('b', 'bbbb');
  expect(cache.get('a')).toBe('aaaa');
  cache.set('c', 'cccc');
  expect(['a', 'b', 'c'].map(cache.get)).toEqual(['aaaa', undefined, 'cccc']);
  cache.set('c', 'c');
  cache.set('d', 'ddddd');
  expect(['a', 'c', 'd'].map(cache.get)).toEqual(['aaaa', 'c', 'ddddd']);
  cache.set('e', 'e'.repeat(11));
  expect(['a', 'c', 'd', 'e'].map(cache.get)).toEqual([undefined, undefined, undefined, undefined]);
});
