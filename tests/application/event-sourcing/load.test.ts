import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createMemorySnapshotStore } from '../../../adapters/memory/snapshot-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { createKeptStates, type KeptStates } from '../../../application/event-sourcing/kept-states.ts';
import type { EventStore, NewEvent } from '../../../application/ports/event-store.ts';
import type { SnapshotStore } from '../../../application/ports/snapshot-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand } from '../../../domain/tag/index.ts';
import { countingIds } from '../../support/ids.ts';

const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'c',
  causationId: 'c',
};
const STREAM = tagStream('acme');
const codec = createEventCodec();
const create = (name: string): TagCommand => ({
  type: 'create',
  tagId: name,
  name,
  description: '',
  at: 1,
});

/** A store that notes how many events each read brought. */
const counted = (store: EventStore) => {
  const reads: number[] = [];
  const readStream: EventStore['readStream'] = async (...args) => {
    const events = await store.readStream(...args);
    reads.push(events.length);
    return events;
  };
  return { store: { ...store, readStream }, reads: () => reads.splice(0) };
};

let memory: ReturnType<typeof createMemoryEventStore>;
let snapshots: SnapshotStore;
const ids = countingIds();
const newKept = (): KeptStates => createKeptStates({ snapshots, from: 4, every: 10 });
/** One process. */
const start = (kept = newKept(), store: EventStore = memory) => {
  const { store: watched, reads } = counted(store);
  return { execute: createExecute({ store: watched, codec, ids, kept }), reads, kept };
};
const fill = async (from: number, to: number): Promise<void> => {
  const { execute, kept } = start();
  for (let i = from; i < to; i += 1) await execute(tag, STREAM, create(`tag ${i}`), CONTEXT);
  await kept.settled();
};
const names = ({ state }: { readonly state: typeof tag.initial }): readonly string[] =>
  Array.from(state.tags.values(), ({ name }) => name).toSorted();

beforeEach(() => {
  memory = createMemoryEventStore(() => 1);
  snapshots = createMemorySnapshotStore();
});

describe('a process', () => {
  it('reads of a stream that it knows what is newer than its state, from the event that the state ends with', async () => {
    await fill(0, 9);
    const { execute, reads } = start();
    await execute(tag, STREAM, create('a'), CONTEXT);
    expect(reads()).toStrictEqual([9]);
    await execute(tag, STREAM, create('b'), CONTEXT);
    expect(reads()).toStrictEqual([1]);
    await fill(20, 23);
    const done = await execute(tag, STREAM, create('c'), CONTEXT);
    expect(reads()).toStrictEqual([4]);
    expect(done.revision).toBe(14n);
    await fill(30, 110);
    await execute.load(tag, STREAM, 'acme');
    expect(reads()).toStrictEqual([81]);
  });

  it('reads a short stream whole, and keeps nothing of it', async () => {
    await fill(0, 2);
    const { execute, reads, kept } = start();
    await execute.load(tag, STREAM, 'acme');
    await execute.load(tag, STREAM, 'acme');
    expect([reads(), kept.find(tag, STREAM)]).toStrictEqual([[2, 2], undefined]);
  });

  it('that has just started reads the beginning, and then what is newer than the snapshot', async () => {
    await fill(0, 250);
    const { execute, reads } = start();
    const found = await execute.load(tag, STREAM, 'acme');
    const [first, tail, ...more] = reads();
    expect([first, more]).toStrictEqual([64, []]);
    expect(tail).toBeLessThan(70);
    expect(found?.state.tags.size).toBe(250);
    expect([found?.revision, found?.last?.revision]).toStrictEqual([249n, 249n]);
  });

  it('reads a long stream without a snapshot in pages, and writes one', async () => {
    await fill(0, 100);
    snapshots = createMemorySnapshotStore();
    const { execute, kept, reads } = start();
    await execute.load(tag, STREAM, 'acme');
    await kept.settled();
    expect(reads()).toStrictEqual([64, 36]);
    expect(await snapshots.read(STREAM, 'tag', 2)).toMatchObject({ revision: 99n, tenant: 'acme' });
  });

  it.each(['in memory', 'from the snapshot'])('drops a state %s that is of another log', async (where) => {
    await fill(0, 200);
    const { execute, kept } = start();
    if (where === 'in memory') await execute.load(tag, STREAM, 'acme');
    const restored = createMemoryEventStore(() => 1);
    const other = start(kept, restored);
    for (const name of ['x', 'y', 'z']) await other.execute(tag, STREAM, create(name), CONTEXT);
    const found = await other.execute.load(tag, STREAM, 'acme');
    expect(names(found!)).toStrictEqual(['x', 'y', 'z']);
    for (let i = 0; i < 100; i += 1) await other.execute(tag, STREAM, create(`new ${i}`), CONTEXT);
    await kept.settled();
    const cold = await start(newKept(), restored).execute.load(tag, STREAM, 'acme');
    expect(cold?.state.tags.size).toBe(103);
  });

  it('ignores a snapshot of another version, and one that cannot be read', async () => {
    await fill(0, 100);
    const broken: SnapshotStore = {
      ...snapshots,
      read: () => Promise.reject(new Error('the table is gone')),
    };
    const older = { ...tag, shape: { ...tag.shape!, version: tag.shape!.version - 1 } };
    for (const [fold, store] of [
      [tag, broken],
      [older, snapshots],
    ] as const) {
      const warned: string[] = [];
      const log = { info: () => {}, error: () => {}, warn: (message: string) => void warned.push(message) };
      const { execute } = start(createKeptStates({ snapshots: store, log, every: 10 }));
      expect((await execute.load(fold, STREAM, 'acme'))?.state.tags.size).toBe(100);
      expect(warned).toHaveLength(store === broken ? 1 : 0);
    }
  });

  it('goes on where no snapshot can be written', async () => {
    snapshots = { ...snapshots, write: () => Promise.reject(new Error('the disk is full')) };
    await fill(0, 100);
    expect((await start().execute.load(tag, STREAM, 'acme'))?.state.tags.size).toBe(100);
  });

  it('refuses what a newer version wrote after the state that it keeps, and never takes it as read', async () => {
    await fill(0, 100);
    const { execute } = start();
    await execute.load(tag, STREAM, 'acme');
    const unknown: NewEvent = {
      id: ids.newId(),
      type: 'TagSealed',
      data: { tagId: 'tag 1' },
      metadata: { tenant: 'acme' },
    };
    await memory.append(STREAM, 99n, [unknown]);
    for (const process of [execute, execute, start().execute]) {
      const refused = process(tag, STREAM, create('late'), CONTEXT);
      await expect(refused).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    }
    expect(await memory.readStream(STREAM)).toHaveLength(101);
  });

  it.each([10, 100])(
    'finds no stream of another tenant of %i events, though its state is kept',
    async (n) => {
      await fill(0, n);
      const { execute } = start();
      await execute.load(tag, STREAM, 'acme');
      for (const process of [execute, start().execute]) {
        expect(await process.load(tag, STREAM, 'other')).toBeNull();
        const foreign = process(
          tag,
          STREAM,
          { type: 'delete', tagId: 'tag 1', at: 2 },
          {
            ...CONTEXT,
            tenant: 'other',
          },
        );
        await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
        const message = 'there is no such resource';
        const begun = process(tag, STREAM, create('x'), { ...CONTEXT, tenant: 'other' });
        await expect(begun).rejects.toMatchObject({ code: 'not_found', message });
      }
      expect(await memory.readStream(STREAM)).toHaveLength(n);
    },
  );
});
