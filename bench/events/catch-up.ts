import { createDatabase } from '../../adapters/postgres/connection.ts';
import { rebuild } from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion } from '../../adapters/postgres/projections/versions.ts';
import { dataSourceProjection } from '../../adapters/postgres/projections/views.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventStore,
  type NewEvent,
} from '../../application/ports/event-store.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import type { Bench } from '../bench.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { openEventLog } from './event-log.ts';
import { CONTEXT, jobHistory } from './job-histories.ts';

const TARGET = 0.15;
const EVENTS_OF_A_STREAM = 20;
/** Streams whose events lie among each other in the log, as those of jobs that run at the same time do. */
const AT_ONCE = 40;

/** A rebuild of the data sources' view, beside reading the same events through the feed and doing nothing with them. */
export const catchUpBench: Bench = {
  name: 'catch-up',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const log = await openEventLog(cleanup);
    const views = createDatabase({
      ...log.address,
      poolSize: 16,
      synchronousCommit: false,
    });
    cleanup.defer(views.close);
    const events = quick ? 2_000 : 100_000;
    await fill(log.store, events);
    await views.pool.query('VACUUM ANALYZE es.events');
    await createVersion(views.db, dataSourceProjection, true);
    const { feed } = log;
    const { signal } = new AbortController();
    const codec = createEventCodec();
    const project = () =>
      rebuild(
        { db: views.db, transact: views.transact, feed, codec, log: console },
        dataSourceProjection,
        signal,
      );
    const ours = () => profiling.profiled(() => eventsPerSecond(events, project));
    const rival = () => eventsPerSecond(events, () => readAll(feed));
    await sideBySide(1, ours, rival);
    await views.pool.query('ANALYZE');
    const measured = await sideBySide(quick ? 1 : 7, ours, rival);
    yield {
      bench: 'catch-up',
      ...measured,
      measured: 'in process',
      unit: 'events/s',
      target: `>= ${TARGET}`,
      met: measured.ratio >= TARGET,
      events,
      streams: events / EVENTS_OF_A_STREAM,
      rival_is: 'reading the events through the feed',
    };
  },
};

export const eventsPerSecond = async (expected: number, run: () => Promise<number>): Promise<number> => {
  const begun = performance.now();
  const events = await run();
  const seconds = (performance.now() - begun) / 1000;
  if (events !== expected) throw new Error(`${events} events came instead of ${expected}`);
  return events / seconds;
};

export const readAll = async (feed: EventFeed): Promise<number> => {
  const stop = new AbortController();
  let events = 0;
  for await (const message of feed.follow(BEGINNING, dataSourceProjection.filter, stop)) {
    if (message.kind === 'events') events += message.events.length;
    if (message.kind === 'caughtUp') stop.abort();
  }
  return events;
};

/** Job histories, one event at a time, `AT_ONCE` of them at once. */
export const fill = async (store: EventStore, events: number): Promise<void> => {
  const ids = createIdSource();
  const codec = createEventCodec();
  let left = events / EVENTS_OF_A_STREAM;
  const live = async (): Promise<void> => {
    while (left-- > 0) {
      const id = ids.newId();
      for (const [i, event] of jobHistory({ id, ids, length: EVENTS_OF_A_STREAM }).entries()) {
        const encoded: NewEvent = codec.encode(event, ids.newId(), CONTEXT);
        await store.append(dataSourceStream(id), i === 0 ? 'none' : BigInt(i - 1), [encoded]);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, live));
};
