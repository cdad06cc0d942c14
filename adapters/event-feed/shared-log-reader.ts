import type { FeedMessage, Position, RecordedEvent } from '../../application/ports/event-store.ts';

/**
 * In-memory window of the newest events, in log order: all matching events after `start` and up to `upTo`.
 */
export interface LogWindow {
  readonly start: () => Position;
  readonly upTo: () => Position;
  readonly length: () => number;
  /** Appends the next events. No other event up to `position` matches. */
  readonly add: (events: readonly RecordedEvent[], position: Position) => void;
  /** Drops the oldest `count` events; 1 ≤ count ≤ length. */
  readonly drop: (count: number) => void;
  /** Number of events at or before `position`. */
  readonly countTo: (position: Position) => number;
  /** Whether the log returned this exact position. */
  readonly isReturnedPosition: (position: Position) => boolean;
  /**
   * The first matching events after `after`, and the position up to which everything was returned or does not
   * match.
   */
  readonly read: (
    after: Position,
    matches: (event: RecordedEvent) => boolean,
    limit: number,
  ) => { readonly events: readonly RecordedEvent[]; readonly position: Position };
}

export const openWindow = (after: Position): LogWindow => {
  let events: RecordedEvent[] = [];
  let [start, upTo] = [after, after];
  /** Binary search: positions increase along the log. */
  const countTo = (position: Position): number => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (events[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    start: () => start,
    upTo: () => upTo,
    length: () => events.length,
    add: (added, position) => {
      events.push(...added);
      if (position > upTo) upTo = position;
    },
    drop: (count) => {
      start = events[count - 1]!.position;
      events = events.slice(count);
    },
    countTo,
    isReturnedPosition: (position) =>
      position === start || position === upTo || events[countTo(position) - 1]?.position === position,
    read: (from, matches, limit) => {
      const found: RecordedEvent[] = [];
      for (let index = countTo(from); index < events.length; index += 1) {
        const event = events[index]!;
        if (!matches(event)) continue;
        found.push(event);
        if (found.length === limit) return { events: found, position: event.position };
      }
      return { events: found, position: upTo };
    },
  };
};

/** The cursor of a follower: all events up to here were delivered. */
export interface Cursor {
  position: Position;
}

/** A reader of the log that all cursors in its window share. */
export interface SharedLogReader extends Pick<LogWindow, 'upTo' | 'isReturnedPosition' | 'read'> {
  /** Whether all events after `position` up to `upTo` are in memory. `position` must come from this log. */
  readonly covers: (position: Position) => boolean;
  /** Whether the last read found no event after `upTo`. */
  readonly isCaughtUp: () => boolean;
  /**
   * Reads the next message; concurrent callers share one read. Resolves to false when the log has ended. If
   * the read fails, the promise rejects and the reader covers no position from then on.
   */
  readonly readNext: () => Promise<boolean>;
  readonly addCursor: (cursor: Cursor) => void;
  /** Returns true if it was the last cursor, and the reader is closed. */
  readonly removeCursor: (cursor: Cursor) => boolean;
  /** Must be called after a cursor has advanced. */
  readonly notifyAdvanced: () => void;
}

export interface SharedReaderOptions {
  /** Events that are kept in memory, in addition to the next page. */
  readonly maxEvents?: number;
  /**
   * Number of followers that are expected to start at the same position at about the same time; default 1.
   */
  readonly expectedFollowers?: number;
  /** How long faster followers wait for one that does not advance, before its events are dropped. */
  readonly maxWaitMs?: number;
}

const MAX_EVENTS = 4_000;
const MAX_WAIT_MS = 10_000;
/** How long the first events are kept for followers that are expected to start at the same position. */
const GATHER_MS = 1_000;

/**
 * Reads the log after `after` on demand and keeps the newest events.
 *
 * Until it has caught up for the first time, faster followers wait for the slowest, so that the history is
 * read once for all of them. From then on no follower waits: the oldest events are dropped, and a follower
 * that still needs them opens its own read.
 */
export const openSharedReader = (
  follow: (after: Position, signal: AbortSignal) => AsyncIterable<FeedMessage>,
  after: Position,
  { maxEvents = MAX_EVENTS, maxWaitMs = MAX_WAIT_MS, expectedFollowers = 1 }: SharedReaderOptions = {},
): SharedLogReader => {
  const stop = new AbortController();
  const messages = follow(after, stop.signal)[Symbol.asyncIterator]();
  const cursors = new Set<Cursor>();
  const window = openWindow(after);
  const { upTo, read } = window;
  let [isLive, caughtUp, hasEnded] = [false, false, false];
  let reading: Promise<boolean> | null = null;
  let onChange = (): void => {};

  /** Resolves to true when a cursor was added, advanced or removed, and to false after `ms`. */
  const waitForCursorChange = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      onChange = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  /** Number of oldest events that no cursor in the window needs. */
  const countDroppable = (): number => {
    const positions = [...cursors].map(({ position }) => position);
    const inWindow = positions.filter((position) => position >= window.start());
    return Math.min(window.length(), ...inWindow.map(window.countTo));
  };
  /**
   * Waits until no follower needs the oldest events, or until the slowest has not advanced for `maxWaitMs`.
   */
  const waitForSlowFollowers = async (excess: number): Promise<void> => {
    const expectsFollowers = (): boolean => window.start() === after && cursors.size < expectedFollowers;
    while (expectsFollowers() && (await waitForCursorChange(Math.min(GATHER_MS, maxWaitMs))));
    while (countDroppable() < excess && (await waitForCursorChange(maxWaitMs)));
  };
  const dropOldest = async (): Promise<void> => {
    const excess = window.length() - maxEvents;
    if (excess <= 0) return;
    if (!isLive) await waitForSlowFollowers(excess);
    window.drop(excess);
  };
  const readMessage = async (): Promise<boolean> => {
    await dropOldest();
    const { value: message, done } = await messages.next().catch((error: unknown) => {
      hasEnded = true;
      throw error;
    });
    hasEnded = done === true;
    if (done === true) return false;
    window.add(message.kind === 'events' ? message.events : [], message.position);
    caughtUp = message.kind === 'caughtUp';
    isLive ||= caughtUp;
    return true;
  };

  return {
    upTo,
    read,
    covers: (position) => !hasEnded && window.start() <= position && position <= upTo(),
    isReturnedPosition: (position) => !hasEnded && window.isReturnedPosition(position),
    isCaughtUp: () => caughtUp,
    readNext: () => {
      if (reading !== null) return reading;
      reading = readMessage().finally(() => (reading = null));
      reading.catch(() => {});
      return reading;
    },
    addCursor: (cursor) => {
      cursors.add(cursor);
      onChange();
    },
    removeCursor: (cursor) => {
      cursors.delete(cursor);
      onChange();
      if (cursors.size > 0) return false;
      stop.abort();
      // `return` waits for the store; its result is ignored.
      messages.return?.().catch(() => {});
      return true;
    },
    notifyAdvanced: () => onChange(),
  };
};
