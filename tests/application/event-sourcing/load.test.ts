import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { createStateCache } from '../../../application/event-sourcing/state-cache.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import type { EventStore, NewEvent } from '../../../application/ports/event-store.ts';
import { type TagCommand, tag } from '../../../domain/tag/decider.ts';
import { callerOf, refused } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { writeAsNewer } from '../../support/newer-version.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { OUR_MARKS } from '../../support/newer-version.ts';

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

const ids = countingIds();

const newCache = () => createStateCache({ from: 4 });

/** One process. */
const start = (cache = newCache(), store: EventStore = memory) => {
  const { store: watched, reads } = counted(store);
  return { execute: createExecute({ store: watched, codec, ids, cache }), reads, cache };
};

const fill = async (from: number, to: number): Promise<void> => {
  const { execute } = start();
  for (let i = from; i < to; i += 1) await execute(tag, STREAM, create(`tag ${i}`), CONTEXT);
};

const names = ({ state }: { readonly state: typeof tag.initial }): readonly string[] =>
  Array.from(state.tags.values(), ({ name }) => name).toSorted();

beforeEach(() => {
  memory = createMemoryEventStore(() => 1);
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

  it('that has just started reads a long stream in pages, whole and once', async () => {
    await fill(0, 4_500);
    const { execute, reads } = start();
    const found = await execute.load(tag, STREAM, 'acme');
    expect(reads()).toStrictEqual([2_000, 2_000, 500]);
    expect([found?.state.tags.size, found?.revision, found?.last?.revision]).toStrictEqual([
      4_500,
      4_499n,
      4_499n,
    ]);
    await execute.load(tag, STREAM, 'acme');
    expect(reads()).toStrictEqual([1]);
  });

  it('drops a state that is of another log', async () => {
    await fill(0, 200);
    const { execute, cache } = start();
    await execute.load(tag, STREAM, 'acme');
    const restored = createMemoryEventStore(() => 1);
    const other = start(cache, restored);
    for (const name of ['x', 'y', 'z']) await other.execute(tag, STREAM, create(name), CONTEXT);
    const found = await other.execute.load(tag, STREAM, 'acme');
    expect(names(found!)).toStrictEqual(['x', 'y', 'z']);
  });

  it('refuses what a newer version wrote after the state that it keeps, and never takes it as read', async () => {
    await fill(0, 100);
    const { execute } = start();
    await execute.load(tag, STREAM, 'acme');
    const unknown: NewEvent = {
      id: ids.newId(),
      type: 'TagSealed',
      data: { tagId: 'tag 1' },
      metadata: OUR_MARKS,
    };
    await memory.append(STREAM, 99n, [unknown]);
    for (const process of [execute, execute, start().execute]) {
      const late = process(tag, STREAM, create('late'), CONTEXT);
      await expect(late).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
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

/** Three tags of a tenant. */
const setUp = async () => {
  const store = createMemoryEventStore(() => 7);
  const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
  for (const name of ['a', 'b', 'c']) {
    const command = { type: 'create', tagId: `tag ${name}`, name, description: '', at: 1 } as const;
    await execute(tag, STREAM, command, callerOf('acme').context);
  }
  return { store, history: execute.history };
};

describe('the history of an aggregate', () => {
  it('is its events in their order, each with what it was stored as', async () => {
    const { history } = await setUp();
    const past = await history(tag, STREAM, 'acme');
    expect(past.map(({ event }) => event.type === 'TagCreated' && event.name)).toEqual(['a', 'b', 'c']);
    expect(past[1]?.recorded).toMatchObject({ revision: 1n, recordedAt: 7, type: 'TagCreated' });
  });

  it('is refused where a newer version has written to it, in the part that is read', async () => {
    const { store, history } = await setUp();
    await writeAsNewer(store, STREAM);
    expect(await refused(history(tag, STREAM, 'acme'))).toBe('unavailable');
    await expect(history(tag, STREAM, 'acme')).rejects.toThrow(/newer version of the service \(\w+\)/);
    expect(await history(tag, STREAM, 'acme', { from: 0n, limit: 3 })).toHaveLength(3);
  });
});
