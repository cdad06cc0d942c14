import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../application/event-codec.ts';
import type { CommandContext } from '../../application/event-metadata.ts';
import { createExecute } from '../../application/execute.ts';
import {
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  OutcomeUnknown,
} from '../../application/ports/event-store.ts';
import { dataSource, type DataSourceCommand } from '../../domain/data-source/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { created, START } from '../domain/data-source/job-steps.ts';
import { countingIds } from '../support/ids.ts';

const STREAM = 'dataSource-1';
const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'request-1',
  causationId: 'command-1',
};
const CREATE = created(dataSource.initial, START);
const CANCEL: DataSourceCommand = { type: 'cancel', at: START + 1 };
const SYNC: DataSourceCommand = {
  type: 'enqueue',
  job_id: 'job-2',
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

const typesIn = async (store: EventStore): Promise<readonly string[]> =>
  (await store.readStream(STREAM)).map(({ type }) => type);

describe('execute', () => {
  it('appends what was decided and answers with the state, the history and the place in the log', async () => {
    const { execute, memory, ids } = setUp();
    const first = await execute(dataSource, STREAM, CREATE, CONTEXT);
    expect(first.events.map(({ type }) => type)).toStrictEqual(['DataSourceRegistered', 'JobQueued']);
    const done = await execute(dataSource, STREAM, CANCEL, CONTEXT);
    const recorded = await memory.readStream(STREAM);
    expect(done).toStrictEqual({
      state: expect.objectContaining({ status: 'canceled' }),
      history: [...first.events, ...done.events],
      events: [{ type: 'JobCanceled', job_id: `job-${START}`, by: 'caller', at: START + 1 }],
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
      history: first.history,
      events: [],
      revision: 1n,
      position: first.position,
    });
    expect(await typesIn(memory)).toHaveLength(2);
  });

  it('knows no position of a stream that stays empty', async () => {
    const { execute } = setUp();
    const silent = { ...dataSource, decide: () => [] };
    expect(await execute(silent, STREAM, CANCEL, CONTEXT)).toMatchObject({ revision: 'none', position: '' });
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
    expect([reads, again.events, again.history.length]).toStrictEqual([1, [], 2]);
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

  it('reads and decides again three times on a conflict, with the same event ids, and then gives up', async () => {
    const sent: (readonly NewEvent[])[] = [];
    let reads = 0;
    const { execute, ids } = setUp((memory) => ({
      readStream: (...args) => {
        reads += 1;
        return memory.readStream(...args);
      },
      append: (stream, expected, events) => {
        sent.push(events);
        return Promise.reject(new ConcurrencyConflict(stream, expected, 9n));
      },
    }));
    await expect(execute(dataSource, STREAM, CREATE, CONTEXT)).rejects.toBeInstanceOf(ConcurrencyConflict);
    expect(reads).toBe(4);
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((events) => events.map(({ id }) => id).join()))).toHaveProperty('size', 1);
    expect(ids.made()).toBe(2);
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
          await other(dataSource, STREAM, { type: 'claim', worker_id: 'w', at: START + 1 }, CONTEXT);
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
