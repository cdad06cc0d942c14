import { checkAppend, type CheckedEvent, revisionBefore } from '../../../application/ports/event-checks.ts';
import {
  type AppendResult,
  BEGINNING,
  ConcurrencyConflict,
  type EventFeed,
  type EventStore,
  type ExpectedRevision,
  InvalidEvent,
  type JsonObject,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { createMemoryEventFeed } from './event-feed.ts';

/**
 * An event store for tests and trials: all in this process, gone with it. Every append is one step, so the order
 * of acceptance is the order of the feed.
 */
export const createMemoryEventStore = (now: () => number = Date.now): EventStore & EventFeed => {
  const log: RecordedEvent[] = [];
  const streams = new Map<string, RecordedEvent[]>();
  const ids = new Set<string>();
  const { feed, appended } = createMemoryEventFeed(log);

  const write = (
    stream: string,
    expected: ExpectedRevision,
    events: readonly CheckedEvent[],
  ): AppendResult => {
    const recorded = streams.get(stream) ?? [];
    const next = revisionBefore(stream, expected, events.length) + 1n;
    if (next !== BigInt(recorded.length)) return firstResult(stream, expected, recorded, events);
    const known = events.find((event) => ids.has(event.id));
    if (known) throw new InvalidEvent(`event id ${known.id} is recorded elsewhere`);
    const recordedAt = now();
    for (const [index, event] of events.entries()) {
      const position = String(log.length + 1).padStart(20, '0');
      const entry = record(event, { stream, revision: next + BigInt(index), position, recordedAt });
      log.push(entry);
      recorded.push(entry);
      ids.add(event.id);
    }
    streams.set(stream, recorded);
    appended();
    return resultOf(recorded);
  };

  return {
    ...feed,
    append: async (stream, expected, events) => write(stream, expected, checkAppend(stream, events)),
    readStream: async (stream, from = 0n, limit = Infinity) =>
      (streams.get(stream) ?? []).filter((event) => event.revision >= from).slice(0, limit),
  };
};

/** The strong idempotency of the port: the same ids at the same revisions, or a conflict. */
const firstResult = (
  stream: string,
  expected: ExpectedRevision,
  recorded: readonly RecordedEvent[],
  events: readonly CheckedEvent[],
): AppendResult => {
  const start = expected === 'none' ? 0 : Number(expected + 1n);
  const there = recorded.slice(start, start + events.length);
  const same = there.filter((event, index) => event.id === events[index]?.id).length;
  if (same === events.length) return resultOf(there);
  const actual = recorded.at(-1)?.revision ?? 'none';
  const detail =
    same > 0 ? `${same} of its ${events.length} event ids are already recorded there` : undefined;
  throw new ConcurrencyConflict(stream, expected, actual, detail);
};

const resultOf = (events: readonly RecordedEvent[]): AppendResult => ({
  revision: events.at(-1)?.revision ?? -1n,
  position: events.at(-1)?.position ?? BEGINNING,
});

type Place = Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'recordedAt'>;

const record = ({ id, type, data, metadata }: CheckedEvent, place: Place): RecordedEvent =>
  Object.freeze({
    id,
    type,
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as JsonObject,
    ...place,
  });
