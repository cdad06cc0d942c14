import { createDatabase } from '../../adapters/postgres/connection.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import type { Bench, Result, Run } from '../bench.ts';
import { analyse } from '../measuring/postgres.ts';
import { rateOf, type SideBySide, sideBySide } from '../measuring/side-by-side.ts';
import { openEventLog, POOL_SIZE } from './event-log.ts';
import { CONTEXT, jobHistory } from './job-histories.ts';

const TARGET = 0.8;
const SLICE_MS = 250;
export const EVENTS = 3;
/** Streams stay short in the program as well. */
const EVENTS_OF_A_STREAM = 30;

/**
 * Appends of three events beside a loop of plain inserts of one row each, at the same number of loops, on the same
 * server. The same measurement is told twice: whole appends against single inserts, and events against rows.
 */
export const appendBench: Bench = {
  name: 'append',
  needs: [],
  measure: async function* measure(run) {
    yield* sideBySideAt([1, 16, 64], run, 0);
    yield* sideBySideAt([1], run, 1);
  },
};

/** @param longer milliseconds that each flush takes longer than this disk: a single writer does little but wait for it */
const sideBySideAt = async function* sideBySideAt(
  writers: readonly number[],
  { quick, profiling, cleanup }: Run,
  longer: number,
): AsyncGenerator<Result> {
  const settings = longer > 0 ? [`commit_delay = ${1000 * longer}`, 'commit_siblings = 0'] : [];
  const { address, store } = await openEventLog(cleanup, settings);
  const insert = await openInserts(address, cleanup);
  const append = createAppends(store);
  const slice = quick ? 50 : SLICE_MS;
  for (const lanes of writers) {
    const ours = (): Promise<number> => profiling.profiled(() => rateOf(lanes, slice, append));
    const rival = (): Promise<number> => rateOf(lanes, slice, insert);
    // One round that does not count: connections, plans and the first pages of the tables.
    await sideBySide(1, ours, rival);
    await analyse(address);
    const measured = await sideBySide(quick ? 2 : 24, ours, rival);
    const given = { concurrency: lanes, pool: POOL_SIZE, slice_ms: slice, flush_longer_by_ms: longer };
    yield { bench: 'append', ...judged(measured), unit: 'appends of 3/s over inserts of 1/s', ...given };
    yield {
      bench: 'append, events',
      ...judged(inEvents(measured)),
      unit: 'events/s over rows/s',
      ...given,
    };
  }
};

const judged = (measured: SideBySide) => ({
  ...measured,
  measured: 'in process' as const,
  target: `>= ${TARGET}`,
  met: measured.ratio >= TARGET,
});

const inEvents = ({ ratio, ours, rival, runs }: SideBySide): SideBySide => ({
  ratio: ratio * EVENTS,
  ours: ours * EVENTS,
  rival,
  runs: runs.map(([a, b]) => [a * EVENTS, b]),
});

/** What is appended or inserted, again and again under new ids: to make it up is not the store's work. */
export const history = (): readonly NewEvent[] => {
  const ids = createIdSource();
  const codec = createEventCodec();
  return jobHistory({ id: ids.newId(), ids, length: EVENTS_OF_A_STREAM }).map((event) =>
    codec.encode(event, ids.newId(), CONTEXT),
  );
};

/** Each lane appends to a stream of its own, and begins a new one when that is long. */
export const createAppends = (store: EventStore): ((lane: number) => Promise<void>) => {
  const ids = createIdSource();
  const events = history();
  const begin = () => ({
    stream: dataSourceStream(ids.newId()),
    revision: 'none' as ExpectedRevision,
    next: 0,
  });
  const lanes: ReturnType<typeof begin>[] = [];
  return async (lane) => {
    const at = (lanes[lane] ??= begin());
    const [first, ...rest] = events
      .slice(at.next, at.next + EVENTS)
      .map((event) => ({ ...event, id: ids.newId() })) as [NewEvent, ...NewEvent[]];
    at.revision = (await store.append(at.stream, at.revision, [first, ...rest])).revision;
    at.next += EVENTS;
    if (at.next === EVENTS_OF_A_STREAM) lanes[lane] = begin();
  };
};

/** What a program without events would do: one row of the size of an event, as a prepared statement. */
const openInserts = async (
  address: Parameters<typeof createDatabase>[0],
  cleanup: AsyncDisposableStack,
): Promise<() => Promise<void>> => {
  const { pool, close } = createDatabase({ ...address, poolSize: POOL_SIZE });
  cleanup.defer(close);
  await pool.query(`CREATE TABLE plain_row (
    id uuid PRIMARY KEY, type text NOT NULL, data jsonb NOT NULL, metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`);
  const ids = createIdSource();
  const rows = history();
  let next = 0;
  return async () => {
    const { type, data, metadata } = rows[(next += 1) % rows.length] as NewEvent;
    await pool.query({
      name: 'insert',
      text: 'INSERT INTO plain_row (id, type, data, metadata) VALUES ($1, $2, $3, $4)',
      values: [ids.newId(), type, JSON.stringify(data), JSON.stringify(metadata)],
    });
  };
};
