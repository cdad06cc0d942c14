import type { FeedMessage, Position, RecordedEvent } from '../../application/ports/event-store.ts';

/** The newest events of a log in memory, in its order: everything that matches behind `start` up to `upTo`. */
export interface LogWindow {
  readonly start: () => Position;
  readonly upTo: () => Position;
  readonly length: () => number;
  /** Events that follow, and the position up to which nothing else matches. */
  readonly add: (events: readonly RecordedEvent[], position: Position) => void;
  /** Forgets the oldest. `count`: at least one, and no more than there are. */
  readonly drop: (count: number) => void;
  /** How many events lie at or before `position`. */
  readonly countTo: (position: Position) => number;
  /** Whether the log returned this very position. */
  readonly knows: (position: Position) => boolean;
  /** The first matching events behind `after`, and the position up to which everything was returned or does not match. */
  readonly take: (
    after: Position,
    matches: (event: RecordedEvent) => boolean,
    limit: number,
  ) => { readonly events: readonly RecordedEvent[]; readonly position: Position };
}

export const openWindow = (after: Position): LogWindow => {
  let events: RecordedEvent[] = [];
  let [start, upTo] = [after, after];
  /** Binary search: positions grow along the log. */
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
    knows: (position) =>
      position === start || position === upTo || events[countTo(position) - 1]?.position === position,
    take: (from, matches, limit) => {
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

/** The cursor of a follower: everything up to here was delivered. */
export interface Cursor {
  position: Position;
}

/** A segment of the log in memory, the newest that was read, shared by all cursors within it. */
export interface SharedLogReader extends Pick<LogWindow, 'upTo' | 'knows' | 'take'> {
  /** Whether everything from there up to `upTo` is in memory. Of a position that this log returned. */
  readonly covers: (position: Position) => boolean;
  /** Whether nothing lay behind `upTo` when the store was asked last. */
  readonly isCaughtUp: () => boolean;
  /**
   * Resolves when there is a new message; shared by all who wait. False: the log has ended. Rejects as the read does;
   * afterwards the segment covers no position any more.
   */
  readonly readOn: () => Promise<boolean>;
  readonly enter: (cursor: Cursor) => void;
  /** True: it was the last cursor, and the segment is closed. */
  readonly leave: (cursor: Cursor) => boolean;
  /** To be called after a cursor has advanced. */
  readonly advanced: () => void;
}

export interface SharedReaderOptions {
  /** Events that are kept in memory, beside those of the next page. */
  readonly maxEvents?: number;
  /** How many followers may be expected to begin at the same position within a moment; default 1. */
  readonly followers?: number;
  /** Followers ahead wait so long for one that does not advance, before it is left behind. */
  readonly maxWaitMs?: number;
}

const MAX_EVENTS = 4_000;
const MAX_WAIT_MS = 10_000;
/** A segment is kept whole at its beginning for so long, for followers that are expected to begin there too. */
const GATHER_MS = 1_000;

/**
 * Reads on from `after`, when a follower asks for it, and keeps the newest events.
 *
 * Until it has caught up for the first time, followers ahead wait for the slowest, so that the past is read once for all
 * of them. From then on nobody waits: the oldest events are dropped, and a follower that still needs them reads by itself.
 */
export const openSharedReader = (
  follow: (after: Position, signal: AbortSignal) => AsyncIterable<FeedMessage>,
  after: Position,
  { maxEvents = MAX_EVENTS, maxWaitMs = MAX_WAIT_MS, followers = 1 }: SharedReaderOptions = {},
): SharedLogReader => {
  const stop = new AbortController();
  const messages = follow(after, stop.signal)[Symbol.asyncIterator]();
  const cursors = new Set<Cursor>();
  const window = openWindow(after);
  const { upTo, take } = window;
  let [isLive, caughtUp, isOver] = [false, false, false];
  let reading: Promise<boolean> | null = null;
  let onChange = (): void => {};

  /** True: a cursor entered, advanced or left. */
  const change = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      onChange = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  /** How many events no cursor within this segment needs. */
  const unneeded = (): number => {
    const positions = [...cursors].map(({ position }) => position);
    const here = positions.filter((position) => position >= window.start());
    return Math.min(window.length(), ...here.map(window.countTo));
  };
  /** Until the oldest events can be dropped without loss to any follower, or one keeps the others waiting too long. */
  const othersFollow = async (spare: number): Promise<void> => {
    const mayCome = (): boolean => window.start() === after && cursors.size < followers;
    while (mayCome() && (await change(Math.min(GATHER_MS, maxWaitMs))));
    while (unneeded() < spare && (await change(maxWaitMs)));
  };
  const dropOldest = async (): Promise<void> => {
    const spare = window.length() - maxEvents;
    if (spare <= 0) return;
    if (!isLive) await othersFollow(spare);
    window.drop(spare);
  };
  const read = async (): Promise<boolean> => {
    await dropOldest();
    const { value: message, done } = await messages.next().catch((error: unknown) => {
      isOver = true;
      throw error;
    });
    isOver = done === true;
    if (done === true) return false;
    window.add(message.kind === 'events' ? message.events : [], message.position);
    caughtUp = message.kind === 'caughtUp';
    isLive ||= caughtUp;
    return true;
  };

  return {
    upTo,
    take,
    covers: (position) => !isOver && window.start() <= position && position <= upTo(),
    knows: (position) => !isOver && window.knows(position),
    isCaughtUp: () => caughtUp,
    readOn: () => {
      if (reading !== null) return reading;
      reading = read().finally(() => (reading = null));
      reading.catch(() => {});
      return reading;
    },
    enter: (cursor) => {
      cursors.add(cursor);
      onChange();
    },
    leave: (cursor) => {
      cursors.delete(cursor);
      onChange();
      if (cursors.size > 0) return false;
      stop.abort();
      // It waits for the store: how it ends concerns nobody any more.
      messages.return?.().catch(() => {});
      return true;
    },
    advanced: () => onChange(),
  };
};
