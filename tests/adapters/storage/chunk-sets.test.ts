import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packChunkSet, unpackChunkSet } from '../../../adapters/storage/chunk-sets.ts';
import { type ChunkSet, ChunkSetUnreadable, serialiseChunkSet } from '../../../domain/chunking/chunk-set.ts';

const setOf = (...texts: readonly string[]): ChunkSet => ({
  format: 1,
  source: { title: 'Herons', url: null, fileType: 'md' },
  keywords: ['heron'],
  chunks: texts.map((text, i) => ({
    text,
    headingPath: ['Herons'],
    pageNumber: 0,
    tokenCount: 3,
    textHash: 'ab'.repeat(32),
    occurrence: i,
  })),
});

it('what is packed is read back, and equal sets give equal bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (texts) => {
      const packed = await packChunkSet(setOf(...texts));
      expect(await unpackChunkSet(packed)).toEqual(setOf(...texts));
      expect(await packChunkSet(setOf(...texts))).toEqual(packed);
    }),
  );
});

it('text takes less than half of its bytes', async () => {
  const set = setOf(
    ...Array.from({ length: 40 }, (_, i) => `The heron waits at the ${i}th bank of the river.`),
  );
  expect((await packChunkSet(set)).length).toBeLessThan(serialiseChunkSet(set).length / 2);
});

it('a chunk set of before, plain JSON, is read', async () => {
  const set = setOf('The heron waits.');
  expect(await unpackChunkSet(Buffer.from(serialiseChunkSet(set)))).toEqual(set);
});

it('damaged bytes are unreadable', async () => {
  const packed = await packChunkSet(setOf('The heron waits.'));
  for (const bytes of [packed.subarray(0, packed.length - 3), packed.subarray(2), Buffer.alloc(0)])
    await expect(unpackChunkSet(bytes)).rejects.toThrow(ChunkSetUnreadable);
});
