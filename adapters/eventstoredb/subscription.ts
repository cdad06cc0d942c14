import { matchesFilter } from '../../application/ports/event-checks.ts';
import { BEGINNING, type Position, type RecordedEvent } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import { openWindow } from '../event-feed/shared-log-reader.ts';
import type { Connection } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { ReadMessage } from './messages.ts';
import type { LogEnd, Page, PageQuery } from './read.ts';
import { subscriptionRequest } from './read-requests.ts';
import { fromPosition, positionOf, toEvent } from './records.ts';

export interface Listener {
  /** The log may have grown. */
  readonly hint: () => void;
  /** The log extends to this position on this node. */
  readonly grow: (upTo: LogEnd) => void;
  /** No followers wait before this position. */
  readonly known: () => Position;
}

/** Events that any process appends, as the server sends them. */
export interface Subscription {
  /** Returns the page if its events are in the buffer; null if it must be read. */
  readonly page: (query: PageQuery) => Page | null;
  /**
   * Whether the subscription will report this event to the listener; it does so after `arrivalMs` at the
   * latest.
   */
  readonly awaitArrival: (upTo: LogEnd) => boolean;
  readonly close: () => Promise<void>;
}

/**
 * One subscription for the whole process, from the known end of the log. It ends with its channel, and
 * restarts after the end known by then, after a pause with jitter. Its messages may come late or never, so
 * followers also poll.
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
      // The first message confirms the subscription: treat it as a hint at events that were appended just
      // before.
      for await (const messages of connection.read(subscriptionRequest(fromPosition(after)), {
        signal,
        onNode,
      })) {
        onHeard();
        const last = messages.findLast(({ record }) => record !== null)?.record ?? null;
        const position = last && positionOf(last);
        // If it started at the end of the log, records before the first one are unknown.
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
      // An expected event may have been lost.
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
    awaitArrival: (upTo) => buffer?.awaitArrival(upTo) ?? false,
    close: async () => {
      stop.abort();
      await listening;
    },
  };
};

/** Limits of the buffer. A follower that lags further behind reads separately. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The last events of a subscription, in log order: everything after its start, or after what was dropped, up
 * to its last record, except the server's own events.
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
    // Down to half, so that the array is not copied for every event.
    let count = 0;
    while (sizes.length - count > MAX_EVENTS / 2 || bytes > MAX_BYTES / 2) bytes -= sizes[count++]!;
    sizes = sizes.slice(count);
    window.drop(count);
  };

  /** The newest acknowledged event that has not arrived yet. */
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
        const recordPosition = record && positionOf(record);
        if (recordPosition === null || recordPosition <= position) continue;
        position = recordPosition;
        const event = toEvent(record!, recordPosition);
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
      const isBuffered = end.node === node && window.start() <= from && end.position <= window.upTo();
      // A follower of one stream must read to learn that it was deleted permanently.
      if (!isBuffered || filter.stream !== undefined) return null;
      return window.read(from, (event) => matchesFilter(filter, event), limit);
    },
    awaitArrival: (upTo) => {
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
