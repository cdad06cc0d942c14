import {
  type CheckedEvent,
  checkAppend,
  matchesFilter,
  revisionBefore,
  withoutGap,
} from '../../../application/ports/event-checks.ts';
import {
  type AppendResult,
  BEGINNING,
  ConcurrencyConflict,
  type EventFeed,
  type EventFilter,
  type EventStore,
  type ExpectedRevision,
  type FeedMessage,
  InvalidEvent,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** The feed over a log that only grows; its owner calls `appended` after each growth. */
const createMemoryEventFeed = (
  log: readonly RecordedEvent[],
): { readonly feed: EventFeed; readonly appended: () => void } => {
  const waiting = new Set<() => void>();

  const page = (after: Position, filter: EventFilter, limit: number) => {
    const events: RecordedEvent[] = [];
    mustBePosition(after);
    let position = after;
    for (let index = firstAfter(log, after); index < log.length && events.length < limit; index += 1) {
      const event = log[index]!;
      position = event.position;
      if (matchesFilter(filter, event)) events.push(event);
    }
    return { events, position };
  };

  const growth = (after: Position, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (signal.aborted || after < (log.at(-1)?.position ?? BEGINNING)) return resolve();
      waiting.add(wake);
      signal.addEventListener('abort', wake);
    });

  async function* follow(
    after: Position,
    filter: EventFilter,
    { signal, batchSize = 500 }: { readonly signal: AbortSignal; readonly batchSize?: number },
  ): AsyncGenerator<FeedMessage> {
    let position = after;
    while (!signal.aborted) {
      const next = page(position, filter, batchSize);
      const [first, ...rest] = next.events;
      const delivered = next.events.at(-1)?.position ?? position;
      position = next.position;
      if (first) yield { kind: 'events', events: [first, ...rest], position };
      if (!signal.aborted && position > delivered) yield { kind: 'checkpoint', position };
      if (signal.aborted || next.events.length === batchSize) continue;
      yield { kind: 'caughtUp', position };
      await growth(position, signal);
    }
  }

  const feed: EventFeed = {
    head: async () => log.at(-1)?.position ?? BEGINNING,
    read: async (after, filter, limit) => {
      const found = page(after, filter, limit);
      return { ...found, more: found.position < (log.at(-1)?.position ?? BEGINNING) };
    },
    readBack: async (before, filter, limit) => {
      mustBePosition(before);
      const past = log.filter(({ position }) => before === BEGINNING || position < before);
      const events = past
        .filter((event) => matchesFilter(filter, event))
        .toReversed()
        .slice(0, limit);
      const more = events.length === limit;
      return { events, position: more ? events.at(-1)!.position : BEGINNING, more };
    },
    holds: async (position) => {
      mustBePosition(position);
      return position <= (log.at(-1)?.position ?? BEGINNING);
    },
    follow,
  };
  return {
    feed,
    appended: () => {
      for (const wake of waiting) wake();
    },
  };
};

/** Binary search: positions grow along the log. */
const firstAfter = (log: readonly RecordedEvent[], after: Position): number => {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log[middle]!.position <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};

const mustBePosition = (text: string): void => {
  if (text === BEGINNING || /^[0-9]{20}$/.test(text)) return;
  throw new DomainError(
    'invalid_cursor',
    `${JSON.stringify(text.slice(0, 100))} is not a position of this event log`,
  );
};

/**
 * An event store for tests and trials: all in this process, gone with it. Every append is one step, so the order
 * of acceptance is the order of the feed.
 */
export const createMemoryEventStore = (
  now: () => number = Date.now,
): EventStore & EventFeed & { readonly cut: (stream: string, before: bigint) => void } => {
  const log: RecordedEvent[] = [];
  const streams = new Map<string, RecordedEvent[]>();
  const ids = new Set<string>();
  let ever = 0;
  const { feed, appended } = createMemoryEventFeed(log);

  const write = (
    stream: string,
    expected: ExpectedRevision,
    events: readonly CheckedEvent[],
  ): AppendResult => {
    const recorded = streams.get(stream) ?? [];
    const next = revisionBefore(stream, expected, events.length) + 1n;
    if (next !== (recorded.at(-1)?.revision ?? -1n) + 1n)
      return firstResult(stream, expected, recorded, events);
    const known = events.find((event) => ids.has(event.id));
    if (known) throw new InvalidEvent(`event id ${known.id} is recorded elsewhere`);
    const recordedAt = now();
    for (const [index, event] of events.entries()) {
      const position = String((ever += 1)).padStart(20, '0');
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
      withoutGap(
        stream,
        from < 0n ? 0n : from,
        (streams.get(stream) ?? []).filter((event) => event.revision >= from).slice(0, limit),
      ),
    /** Removes the earlier events, from the feed too. */
    cut: (stream, before) => {
      const isCut = (event: RecordedEvent): boolean => event.stream === stream && event.revision < before;
      streams.set(
        stream,
        streams.get(stream)!.filter((event) => !isCut(event)),
      );
      log.splice(0, log.length, ...log.filter((event) => !isCut(event)));
    },
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
