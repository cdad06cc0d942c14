import { ContentionTimeout } from '../../../application/event-sourcing/back-off.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { type Execute, createExecute } from '../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import {
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { type DataSourceCommand, dataSource } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type TagCommand, tag } from '../../../domain/tag/decider.ts';
import { START, created } from '../../domain/data-source/job-steps.ts';
import { countingIds } from '../../support/ids.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { describe, expect, it } from 'vitest';

const CREATE = created(dataSource.initial, START);

const CANCEL: DataSourceCommand = { type: 'cancel', at: START + 1 };

const SYNC: DataSourceCommand = {
  type: 'enqueue',
  jobId: 'job-2',
  trigger: 'sync',
  mode: 'full',
  at: START + 2,
};

const setUp = (wrap: (store: EventStore) => Partial<EventStore> = () => ({})) => {
  const memory = createMemoryEventStore(() => START);
  const ids = countingIds();
  const store: EventStore = {
    append: (...args) => memory.append(...args),
    readStream: (...args) => memory.readStream(...args),
    ...wrap(memory),
  };
  return { memory, ids, execute: createExecute({ store, codec: createEventCodec(), ids }) };
};

describe('execute', () => {
  const STREAM = 'dataSource-1';

  const CONTEXT: CommandContext = {
    tenant: 'acme',
    actor: { kind: 'api_key', id: 'key-1' },
    correlationId: 'request-1',
    causationId: 'command-1',
  };

  const typesIn = async (store: EventStore): Promise<readonly string[]> =>
    (await store.readStream(STREAM)).map(({ type }) => type);

  it('appends what was decided and answers with the state and the place in the log', async () => {
    const { execute, memory, ids } = setUp();
    const first = await execute(dataSource, STREAM, CREATE, CONTEXT);
    expect(first.events.map(({ type }) => type)).toStrictEqual(['DataSourceRegistered', 'JobQueued']);
    const done = await execute(dataSource, STREAM, CANCEL, CONTEXT);
    const recorded = await memory.readStream(STREAM);
    expect(done).toStrictEqual({
      state: expect.objectContaining({ status: 'canceled' }),
      events: [{ type: 'JobCanceled', jobId: `job-${START}`, by: 'caller', at: START + 1 }],
      revision: 2n,
      position: recorded.at(-1)?.position,
    });
    expect(recorded.map(({ id }) => id.slice(-1))).toStrictEqual(['1', '2', '3']);
    expect(recorded[2]?.metadata).toMatchObject({ tenant: 'acme', $correlationId: 'request-1' });
    expect(ids.made()).toBe(3);
  });

  it('appends nothing when nothing changes, and answers with the newest position alone', async () => {
    const { execute, memory } = setUp();
    const first = await execute(dataSource, STREAM, CREATE, CONTEXT);
    const again = await execute(dataSource, STREAM, SYNC, CONTEXT);
    expect(again).toStrictEqual({
      state: first.state,
      events: [],
      revision: 1n,
      position: first.position,
    });
    expect(await typesIn(memory)).toHaveLength(2);
  });

  it('throws the refusal of the domain and appends nothing', async () => {
    const { execute, memory } = setUp();
    await expect(execute(dataSource, STREAM, CANCEL, CONTEXT)).rejects.toMatchObject({ code: 'not_found' });
    expect(await typesIn(memory)).toStrictEqual([]);
  });

  it('finds no stream of another tenant', async () => {
    const { execute, memory } = setUp();
    await execute(dataSource, STREAM, CREATE, CONTEXT);
    const foreign = execute(dataSource, STREAM, CANCEL, { ...CONTEXT, tenant: 'other' });
    await expect(foreign).rejects.toMatchObject({ name: 'DomainError', code: 'not_found' });
    expect(await typesIn(memory)).toHaveLength(2);
  });

  it('saves reading a stream that is probably new, and reads it when it is not', async () => {
    let reads = 0;
    const { execute } = setUp((memory) => ({
      readStream: (...args) => {
        reads += 1;
        return memory.readStream(...args);
      },
    }));
    await execute(dataSource, STREAM, CREATE, CONTEXT, { probablyNew: true });
    expect(reads).toBe(0);
    const again = await execute(dataSource, STREAM, CREATE, CONTEXT, { probablyNew: true });
    expect([reads, again.events, again.revision]).toStrictEqual([1, [], 1n]);
    const foreign = { ...CONTEXT, tenant: 'other' };
    const refused = execute(dataSource, STREAM, CREATE, foreign, { probablyNew: true });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lets a guard refuse on the state before anything is decided', async () => {
    const { execute, memory } = setUp();
    await execute(dataSource, STREAM, CREATE, CONTEXT);
    const seen: string[] = [];
    const guarded = execute(dataSource, STREAM, CANCEL, CONTEXT, {
      guard: ({ status }) => {
        seen.push(status);
        throw new DomainError('key_restricted', 'not yours');
      },
    });
    await expect(guarded).rejects.toMatchObject({ code: 'key_restricted' });
    expect(seen).toStrictEqual(['queued']);
    expect(await typesIn(memory)).toHaveLength(2);
  });

  it('reads and decides again on every conflict, with the same event ids, until its time is over', async () => {
    const sent: (readonly NewEvent[])[] = [];
    const pauses: number[] = [];
    const over = new AbortController();
    let reads = 0;
    const store: EventStore = {
      readStream: async () => {
        reads += 1;
        return [];
      },
      append: (stream, expected, events) => {
        sent.push(events);
        return Promise.reject(new ConcurrencyConflict(stream, expected, 'none'));
      },
    };
    const backOff = {
      sleep: async (ms: number) => void (pauses.push(ms) === 12 && over.abort()),
      random: () => 0.5,
      deadline: () => over.signal,
    };
    const ids = countingIds();
    const execute = createExecute({ store, codec: createEventCodec(), ids, backOff });
    await expect(execute(dataSource, STREAM, CREATE, CONTEXT)).rejects.toBeInstanceOf(ContentionTimeout);
    expect([reads, sent.length]).toStrictEqual([12, 12]);
    expect(new Set(sent.map((events) => events.map(({ id }) => id).join()))).toHaveProperty('size', 1);
    expect(ids.made()).toBe(2);
    expect(pauses).toStrictEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500, 500, 500]);
  });

  it('gives up for a caller that has gone, while it waits for others but not while it writes', async () => {
    const gone = new AbortController();
    let conflicts = 1;
    const { execute, memory } = setUp((store) => ({
      append: async (...args) => {
        gone.abort();
        if (conflicts-- > 0) throw new ConcurrencyConflict(args[0], args[1], 9n);
        return store.append(...args);
      },
    }));
    const context = { ...CONTEXT, signal: gone.signal };
    await expect(execute(dataSource, STREAM, CREATE, context)).rejects.toBeInstanceOf(ContentionTimeout);
    expect(await typesIn(memory)).toStrictEqual([]);
    const { signal } = new AbortController();
    await execute(dataSource, STREAM, CREATE, { ...CONTEXT, signal });
    expect(await typesIn(memory)).toHaveLength(2);
    expect((await memory.readStream(STREAM))[0]?.metadata).not.toHaveProperty('signal');
  });

  it('decides again on what came in between', async () => {
    let raced = false;
    const { execute, memory } = setUp((store) => ({
      append: async (...args) => {
        if (!raced && args[1] !== 'none') {
          raced = true;
          const other = createExecute({
            store,
            codec: createEventCodec(),
            ids: { newId: () => crypto.randomUUID() },
          });
          await other(dataSource, STREAM, { type: 'claim', workerId: 'w', at: START + 1 }, CONTEXT);
        }
        return store.append(...args);
      },
    }));
    await execute(dataSource, STREAM, CREATE, CONTEXT);
    const done = await execute(dataSource, STREAM, CANCEL, CONTEXT);
    expect(done.events).toMatchObject([{ type: 'JobCancelRequested' }]);
    expect(done).toMatchObject({ state: { status: 'canceling' }, revision: 3n });
    expect(await typesIn(memory)).toStrictEqual([
      'DataSourceRegistered',
      'JobQueued',
      'JobClaimed',
      'JobCancelRequested',
    ]);
  });

  it('asks again for a lost answer, and the events are there once', async () => {
    let lost = 3;
    const { execute, memory } = setUp((store) => ({
      append: async (...args) => {
        const result = await store.append(...args);
        if (lost-- > 0) throw new OutcomeUnknown('the connection broke');
        return result;
      },
    }));
    const done = await execute(dataSource, STREAM, CREATE, CONTEXT);
    expect(done).toMatchObject({ revision: 1n, state: { status: 'queued' } });
    expect(await typesIn(memory)).toStrictEqual(['DataSourceRegistered', 'JobQueued']);
  });

  it.each([
    ['an outcome that stays unknown', new OutcomeUnknown('gone'), 4],
    ['an unreachable store', new EventStoreUnavailable('down'), 1],
    ['any other error', new Error('broken'), 1],
  ])('passes on %s', async (_, error, appends) => {
    let sent = 0;
    const { execute } = setUp(() => ({
      append: () => {
        sent += 1;
        return Promise.reject(error);
      },
    }));
    await expect(execute(dataSource, STREAM, CREATE, CONTEXT)).rejects.toBe(error);
    expect(sent).toBe(appends);
  });
});

const create = (name: string): TagCommand => ({ type: 'create', tagId: name, name, description: '', at: 1 });

describe('a conflict that names events which reads do not show yet', () => {
  const STREAM = tagStream('acme');

  const CONTEXT = {
    tenant: 'acme',
    actor: { kind: 'api_key', id: 'key-1' } as const,
    correlationId: 'c',
    causationId: 'c',
  };

  const run = (execute: Execute, command: TagCommand, options = {}) =>
    execute(tag, STREAM, command, CONTEXT, options);

  /** A store that shows the events behind `shown` only after so many looks, though it knows their revisions at once. */
  const lagging = (memory: EventStore) => {
    let [hidden, looks] = [0, 0];
    const store: EventStore = {
      append: (...args) => memory.append(...args),
      readStream: async (stream, from, limit) => {
        const events = await memory.readStream(stream, from, limit);
        looks += 1;
        if (looks <= hidden) return events.filter(({ revision }) => revision < 1n);
        return events;
      },
    };
    const hide = (times: number): void => void ([hidden, looks] = [times, 0]);
    return { store, hide, looks: () => looks };
  };

  /** A process on a store that lags, and another that has written what the first one does not see yet. */
  const behind = async (deadline: () => AbortSignal = () => new AbortController().signal) => {
    const memory = createMemoryEventStore(() => 1);
    const { store, hide, looks } = lagging(memory);
    const [codec, ids] = [createEventCodec(), countingIds()];
    const pauses: number[] = [];
    let appends = 0;
    const counted: EventStore = {
      ...store,
      append: (...args) => {
        appends += 1;
        return store.append(...args);
      },
    };
    const backOff = {
      sleep: async (ms: number) => void pauses.push(ms),
      random: () => 0.5,
      deadline,
    };
    const other = createExecute({ store: memory, codec, ids });
    await run(other, create('first'));
    await run(other, create('second'));
    const execute = createExecute({ store: counted, codec, ids, backOff });
    return { memory, execute, hide, looks, pauses, appends: () => appends };
  };

  it('is decided on once it is shown', async () => {
    const { execute, hide } = await behind();
    hide(4);
    // By what the first reads show the name is free.
    const taken = { ...create('second'), tagId: 'another' };
    await expect(run(execute, taken)).rejects.toMatchObject({ code: 'name_taken' });
  });

  it('is forgotten where its events never come, as those of a leader that lost its place', async () => {
    const { memory, execute, hide } = await behind();
    hide(0);
    const append = memory.append.bind(memory);
    let lies = 1;
    memory.append = async (stream, expected, events) => {
      if (lies-- > 0) throw new ConcurrencyConflict(stream, expected, 9n);
      return append(stream, expected, events);
    };
    expect((await run(execute, create('third'))).revision).toBe(2n);
  });
});
