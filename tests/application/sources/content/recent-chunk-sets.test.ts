import { expect, it } from 'vitest';
import { type ChunkSet, serialiseChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import {
  createRecentChunkSets,
  cachingChunkSetWriter,
} from '../../../../application/sources/content/recent-chunk-sets.ts';

const setOf = (title: string): ChunkSet => ({
  format: 1,
  source: { title, url: null, fileType: 'md' },
  keywords: [],
  chunks: [],
});

it('the chunk sets that were written last are remembered, and no more than so many', async () => {
  const recent = createRecentChunkSets(2);
  const pack = async (set: ChunkSet) => Buffer.from(serialiseChunkSet(set));
  const write = cachingChunkSetWriter(recent, { sha256: (bytes) => `hash of ${String(bytes)}` }, pack);
  const hashOf = (title: string): string => `hash of ${serialiseChunkSet(setOf(title))}`;
  const known = (): readonly string[] => ['a', 'b', 'c'].filter((title) => recent.get(hashOf(title)));
  expect(await write(setOf('a'))).toEqual(await pack(setOf('a')));
  await write(setOf('b'));
  expect(known()).toEqual(['a', 'b']);
  expect(recent.get(hashOf('b'))).toEqual(setOf('b'));
  await write(setOf('c'));
  expect(known()).toEqual(['b', 'c']);
  // Written again, it is the newest.
  await write(setOf('b'));
  await write(setOf('a'));
  expect(known()).toEqual(['a', 'b']);
});
