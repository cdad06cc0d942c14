import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { createStateCache } from '../../../application/event-sourcing/state-cache.ts';
import { BEGINNING, EventStoreUnavailable, type EventStore } from '../../../application/ports/event-store.ts';

import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { soon, failureOf, IMPATIENT, openStandIn, PATIENT, type OpenStandIn } from './open-store.ts';

describe('a node that shows less than was acknowledged', () => {
  let open: OpenStandIn;
  beforeEach(async () => {
    open = await openStandIn({}, { ...PATIENT, outageMs: 60_000 });
  });
  afterEach(() => open.close());

  /** Three events, and how the log was after the first of them. */
  const written = async () => {
    const stream = newStream();
    await open.store.append(stream, 'none', [newEvent('A')]);
    const records = open.standIn.log.records.length;
    await open.store.append(stream, 0n, [newEvent('B')]);
    const { position } = await open.store.append(stream, 1n, [newEvent('C')]);
    const stale = (times: number): void => {
      for (let read = 0; read < times; read += 1) open.standIn.faults.reads.push({ kind: 'asOf', records });
    };
    return { stream, position, stale };
  };
  const typesOf = async (reading: ReturnType<EventStore['readStream']>) =>
    (await reading).map(({ type }) => type);

  it('is not believed about a stream by the process that appended, and is left', async () => {
    const { stream, stale } = await written();
    stale(2);
    expect(await typesOf(open.store.readStream(stream))).toEqual(['A', 'B', 'C']);
    expect(open.standIn.network.connections().ever).toBe(3);
  });

  it('is not believed about the end of a stream, nor about one that it does not know at all', async () => {
    const { stream, stale } = await written();
    stale(1);
    expect(await typesOf(open.store.readStream(stream, 2n))).toEqual(['C']);
    open.standIn.faults.reads.push({ kind: 'asOf', records: 1 });
    expect(await typesOf(open.store.readStream(stream, 0n, 10))).toEqual(['A', 'B', 'C']);
  });

  it('is not believed by a process that has read more', async () => {
    const { stream, stale } = await written();
    const reader = createEventStoreDb({
      connectionString: open.standIn.connectionString,
      deadlines: { ...IMPATIENT, ...PATIENT, outageMs: 60_000 },
    });
    expect(await reader.store.readStream(stream)).toHaveLength(3);
    stale(1);
    expect(await reader.store.readStream(stream)).toHaveLength(3);
    await reader.close();
  });

  it('is not believed about the end of the log, which no read has asked for before', async () => {
    const { position, stale } = await written();
    stale(1);
    expect(await open.feed.head()).toBe(position);
    stale(1);
    expect(await open.feed.holds(position)).toBe(true);
  });

  it('is not suspected because an append was acknowledged while a read was under way', async () => {
    const { stream } = await written();
    open.standIn.faults.reads.push({ kind: 'drip', everyMs: 1 }, { kind: 'drip', everyMs: 1 });
    const [reading, looking] = [open.store.readStream(stream), open.feed.head()];
    await soon(() => expect(open.standIn.faults.reads).toEqual([]));
    await open.store.append(stream, 2n, [newEvent('D')]);
    await Promise.all([reading, looking]);
    expect(open.standIn.network.connections().ever).toBe(1);
  });

  it('is asked no more than needed where it shows all that was seen', async () => {
    const { stream } = await written();
    const before = open.standIn.calls.read;
    await open.store.readStream(stream);
    await open.store.readStream(stream, 1n, 1);
    await open.store.readStream(stream, 3n);
    expect(open.standIn.calls.read).toBe(before + 3);
  });

  it('is refused for as long as an outage is borne; then it is another log, and is believed', async () => {
    const hasty = await openStandIn();
    const stream = newStream();
    await hasty.store.append(stream, 'none', [newEvent('A'), newEvent('B')]);
    for (let read = 0; read < 1_000; read += 1) {
      hasty.standIn.faults.reads.push({ kind: 'asOf', records: 1 });
    }
    const refused = await failureOf(hasty.store.readStream(stream));
    expect(refused).toBeInstanceOf(EventStoreUnavailable);
    expect(String(refused)).toContain('shows less than it did');
    expect(await hasty.store.readStream(stream)).toEqual([]);
    await hasty.close();
  });
});

describe('writers in a cluster whose leader checks what it does not show yet', () => {
  it('all succeed, though their conflicts name what cannot be read yet', async () => {
    const open = await openStandIn({}, PATIENT);
    open.standIn.log.lag(30);
    const other = createEventStoreDb({
      connectionString: open.standIn.connectionString,
      deadlines: { ...IMPATIENT, ...PATIENT },
    });
    const [codec, ids] = [createEventCodec(), countingIds()];
    let ahead = 0;
    const counted = (store: EventStore): EventStore => ({
      ...store,
      append: (...args) =>
        store.append(...args).catch(async (error: { readonly actual?: bigint | 'none' }) => {
          const shown = (await store.readStream(args[0])).at(-1)?.revision ?? -1n;
          if (typeof error.actual === 'bigint' && error.actual > shown) ahead += 1;
          throw error;
        }),
    });
    // Eight processes, as each runs its own commands one after the other.
    const writers = Array.from({ length: 8 }, (_, i) =>
      createExecute({
        store: counted(i % 2 ? other.store : open.store),
        codec,
        ids,
        cache: createStateCache({ from: 1 }),
        backOff: hurried(),
      }),
    );
    const context = {
      tenant: 'acme',
      actor: { kind: 'api_key', id: 'k' },
      correlationId: 'c',
      causationId: 'c',
    };
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; i < 25; i += 1) {
        const name = `${writer} ${i}`;
        const command = { type: 'create', tagId: name, name, description: '', at: 1 } as const;
        await writers[writer]!(tag, tagStream('acme'), command, context as never);
      }
    };
    await Promise.all(writers.map((_, writer) => write(writer)));
    const { events } = await open.feed.read(BEGINNING, { types: ['TagCreated'] }, 1_000);
    expect(new Set(events.map(({ data }) => data['name']))).toHaveProperty('size', 200);
    expect(ahead).toBeGreaterThan(0);
    await other.close();
    await open.close();
  });
});

/** Pauses of random length, as in the service, but by turns of the event loop. */
const hurried = () => ({
  sleep: async (ms: number) => {
    for (let turn = 0; turn < ms; turn += 1) await new Promise(setImmediate);
  },
  random: Math.random,
  deadline: () => new AbortController().signal,
});
