import { describe, expect, it } from 'vitest';
import { loadPushed, pushedSource, recordOf } from '../../../../application/sources/pushes/pushed-source.ts';
import { fold } from '../../../../domain/shared/decider.ts';
import type { SourceEvent } from '../../../../domain/source/events.ts';
import { EXAMPLES } from '../../event-sourcing/event-examples.ts';
import { ACME, pushesInMemory } from '../../../support/pushes-in-memory.ts';

const [indexed] = EXAMPLES.SourceIndexed;
const [skipped] = EXAMPLES.SourceSkipped as readonly SourceEvent[];
const [failed] = EXAMPLES.SourceFailed as readonly SourceEvent[];
const [metadata] = EXAMPLES.SourceMetadataReplaced as readonly SourceEvent[];
const chunksAfter = (...events: readonly (SourceEvent | undefined)[]) =>
  fold(pushedSource, events as readonly SourceEvent[], pushedSource.initial).row?.chunks;

describe('a pushed document as its stream tells it', () => {
  it('has as many chunks as its newest version that can be read', () => {
    const { chunks } = indexed!.chunkSet;
    expect(chunks).toBeGreaterThan(0);
    expect(chunksAfter(indexed)).toBe(chunks);
    expect(chunksAfter(indexed, metadata)).toBe(chunks);
    expect(chunksAfter(indexed, failed)).toBe(chunks);
    const newer = { ...indexed!, chunkSet: { ...indexed!.chunkSet, chunks: chunks + 5 } };
    expect(chunksAfter(indexed, newer)).toBe(chunks + 5);
  });

  it('is found under its own id and tenant, unless there is none, or none any more', async () => {
    const world = pushesInMemory();
    const one = world.open();
    const { id } = await one.create();
    const { record } = await one.put(id, 'a.txt', 'A\n1');
    const found = await loadPushed(world.execute, 'acme', record.id);
    expect(found).toMatchObject({ id: record.id, tenant: 'acme', dataSourceId: id, chunks: 1 });
    expect(recordOf(found!)).toEqual(record);
    expect(await loadPushed(world.execute, 'acme', id)).toBeNull();
    expect(await loadPushed(world.execute, 'other', record.id)).toBeNull();
    await one.remove(ACME, id, 'a.txt');
    expect(await loadPushed(world.execute, 'acme', record.id)).toBeNull();
  });

  it('is left out where its type cannot be read, and told so', () => {
    const { row } = fold(pushedSource, [skipped!], pushedSource.initial);
    expect(recordOf(row!)).toMatchObject({
      status: 'skipped',
      skipReason: row!.skipReason,
      fileType: null,
      mediaType: null,
      size: null,
      sha256: null,
      indexedTime: null,
      contentCount: 0,
    });
  });
});
