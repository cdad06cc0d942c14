import { matchesFilter } from '../../application/ports/event-checks.ts';
import { BEGINNING, type Position, type RecordedEvent } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import { openWindow } from '../event-feed/shared-log-reader.ts';
import type { Connection } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { ReadMessage } from './messages.ts';
import type { LogEnd, Page, PageQuery } from './read.ts';
import { subscriptionRequest } from './read-requests.ts';
import { fromPosition, placeOf, toEvent } from './records.ts';

export interface Listener {
  /** The log may have grown. */
  readonly hint: () => void;
  /** The log goes this far on this node. */
  readonly grow: (upTo: LogEnd) => void;
  /** Up to here no followers wait any more. */
  readonly known: () => Position;
}

/** Events appended by any process, as the server sends them. */
export interface Subscription {
  /** The page where its events are in the buffer; null: it must be read. */
  readonly page: (query: PageQuery) => Page | null;
  /** Whether the listener will hear of this event by the subscription; it does after `arrivalMs` even if nothing comes. */
  readonly expect: (upTo: LogEnd) => boolean;
  readonly close: () => Promise<void>;
}

/**
 * One subscription for the whole process, from the known end of the log on. It ends with its channel, and begins again
 * behind the end known by then, after a pause with jitter. Its messages may come late or never, so followers also poll.
 */
export const subscribe = (
  connection: Connection,
  deadlines: Deadlines,
  { hint, grow, known }: Listener,
): Subscription => {
  const stop = new AbortController();
  const { signal } = stop;
  let buffer: SubscriptionBuffer | null = null;

  const listen = async (onHeard: () => void): Promise<void> => {
    const after = known();
    let node: object = {};
    const onNode = (answering: object): void => void (node = answering);
    try {
      // The first message confirms that it has begun: it hints at what was appended just before.
      for await (const messages of connection.read(subscriptionRequest(fromPosition(after)), {
        signal,
        onNode,
      })) {
        onHeard();
        const last = messages.findLast(({ record }) => record !== null)?.record ?? null;
        const position = last && placeOf(last);
        // From the end on, wherever that is: what lies before the first records is not known.
        const start = after === BEGINNING ? position : after;
        if (start !== null)
          buffer ??= openBuffer({ node, after: start, arrivalMs: deadlines.arrivalMs, grow });
        buffer?.add(messages);
        if (position === null) hint();
        else grow({ position, node });
      }
    } finally {
      const hadBegun = buffer !== null;
      buffer?.close();
      buffer = null;
      // An expected event may lie there.
      if (hadBegun && !signal.aborted) hint();
    }
  };

  const keepListening = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      await listen(() => (failures = 0)).catch(() => {});
      failures += 1;
      if (!signal.aborted) await pause(deadlines, failures, signal);
    }
  };

  const listening = keepListening();
  return {
    page: (query) => buffer?.page(query) ?? null,
    expect: (upTo) => buffer?.expect(upTo) ?? false,
    close: async () => {
      stop.abort();
      await listening;
    },
  };
};

/** Limits of the buffer. A follower that is further behind reads by itself. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The last events of a subscription, in the order of the log: everything behind its start, or behind what was dropped, up
 * to its last record, but for the server's own events.
 */
interface SubscriptionBuffer extends Omit<Subscription, 'close'> {
  readonly add: (messages: readonly ReadMessage[]) => void;
  readonly close: () => void;
}

const openBuffer = ({
  node,
  after,
  arrivalMs,
  grow,
}: {
  readonly node: object;
  readonly after: Position;
  readonly arrivalMs: number;
  readonly grow: (upTo: LogEnd) => void;
}): SubscriptionBuffer => {
  const window = openWindow(after);
  let sizes: number[] = [];
  let bytes = 0;
  const dropOldest = (): void => {
    if (sizes.length <= MAX_EVENTS && bytes <= MAX_BYTES) return;
    // Down to half, so that it is not moved for every event.
    let count = 0;
    while (sizes.length - count > MAX_EVENTS / 2 || bytes > MAX_BYTES / 2) bytes -= sizes[count++]!;
    sizes = sizes.slice(count);
    window.drop(count);
  };

  /** The newest event that was acknowledged and is to come. */
  let expected: Position = BEGINNING;
  let timer: NodeJS.Timeout | null = null;
  const wait = (): void => {
    const position = expected;
    timer = setTimeout(() => {
      timer = null;
      if (window.upTo() < position) grow({ position: expected, node });
      else if (window.upTo() < expected) wait();
    }, arrivalMs).unref();
  };

  return {
    add: (messages) => {
      const events: RecordedEvent[] = [];
      let position = window.upTo();
      for (const { record } of messages) {
        const place = record && placeOf(record);
        if (place === null || place <= position) continue;
        position = place;
        const event = toEvent(record!, place);
        if (event === null) continue;
        const size = record!.data.length + record!.metadata.length;
        sizes.push(size);
        bytes += size;
        events.push(event);
      }
      window.add(events, position);
      dropOldest();
    },
    page: ({ after: from, end, filter, limit }) => {
      const isHere = end.node === node && window.start() <= from && end.position <= window.upTo();
      // A follower of one stream learns by reading that it was deleted for ever.
      if (!isHere || filter.stream !== undefined) return null;
      return window.take(from, (event) => matchesFilter(filter, event), limit);
    },
    expect: (upTo) => {
      if (upTo.node !== node) return false;
      if (upTo.position > expected) expected = upTo.position;
      if (window.upTo() < expected && timer === null) wait();
      return true;
    },
    close: () => {
      if (timer) clearTimeout(timer);
    },
  };
};
