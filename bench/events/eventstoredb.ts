import { EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { createEventStoreDb } from '../../adapters/eventstoredb/eventstoredb.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { Bench } from '../bench.ts';
import { startStandInProcess } from '../measuring/stand-in.ts';
import { rateOf, sideBySide } from '../measuring/side-by-side.ts';
import { createAppends } from './append.ts';
import { eventsPerSecond, fill, readAll } from './catch-up.ts';

const APPEND_TARGET = 0.9;
const CATCH_UP_TARGET = 0.95;
const SLICE_MS = 300;

/**
 * The EventStoreDB adapter beside the plain client of its vendor, as it comes: appends of three events to streams of their
 * own, and reading the whole log. Both talk to the stand-in, in a process of its own, or to the server of
 * EVENTSTORE_TEST_URL, whose log must be empty of everything but what the server itself keeps there.
 */
export const eventstoredbBench: Bench = {
  name: 'eventstoredb',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const connectionString = process.env['EVENTSTORE_TEST_URL'] ?? (await startStandInProcess(cleanup));
    const { store, feed, close } = createEventStoreDb({ connectionString });
    cleanup.defer(close);
    const client = EventStoreDBClient.connectionString(connectionString);
    cleanup.defer(() => client.dispose());
    const [slice, rounds] = quick ? [50, 2] : [SLICE_MS, 16];
    const append = createAppends(store);
    const plain = createAppends(plainStore(client));
    for (const lanes of [1, 16, 64]) {
      const ours = (): Promise<number> => profiling.profiled(() => rateOf(lanes, slice, append));
      const rival = (): Promise<number> => rateOf(lanes, slice, plain);
      await sideBySide(2, ours, rival);
      const measured = await sideBySide(rounds, ours, rival);
      yield {
        bench: 'eventstoredb append',
        ...measured,
        measured: 'in process',
        unit: 'appends of 3 events/s',
        target: `>= ${APPEND_TARGET}`,
        met: measured.ratio >= APPEND_TARGET,
        concurrency: lanes,
        rival_is: '@eventstore/db-client 6.2.1, appendToStream',
      };
    }
    const events = quick ? 2_000 : 20_000;
    await fill(store, events);
    const all = await readAll(feed);
    const ours = () => profiling.profiled(() => eventsPerSecond(all, () => readAll(feed)));
    const rival = () => eventsPerSecond(all, () => plainRead(client));
    await sideBySide(1, ours, rival);
    const measured = await sideBySide(quick ? 1 : 9, ours, rival);
    yield {
      bench: 'eventstoredb catch-up',
      ...measured,
      measured: 'in process',
      unit: 'events/s',
      target: `>= ${CATCH_UP_TARGET}`,
      met: measured.ratio >= CATCH_UP_TARGET,
      events: all,
      rival_is: '@eventstore/db-client 6.2.1, readAll without a filter',
    };
  },
};

/** As its documentation has it. */
const plainStore = (client: EventStoreDBClient): EventStore => ({
  append: async (stream, expected, events) => {
    const { nextExpectedRevision } = await client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data: { ...data }, metadata })),
      { expectedRevision: expected === 'none' ? NO_STREAM : expected },
    );
    return { revision: nextExpectedRevision, position: '' };
  },
  readStream: () => Promise.reject(new Error('it only appends')),
});

const plainRead = async (client: EventStoreDBClient): Promise<number> => {
  let events = 0;
  for await (const { event } of client.readAll({ fromPosition: START })) {
    if (event !== undefined && !event.type.startsWith('$')) events += 1;
  }
  return events;
};
