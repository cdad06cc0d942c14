import type { FeedMessage, Position, RecordedEvent } from '../../application/ports/event-store.ts';

/** What was read last of a log, in its order: everything that matches behind `start` up to `upTo`. */
export interface LogWindow {
  readonly start: () => Position;
  readonly upTo: () => Position;
  readonly length: () => number;
  readonly add: (message: FeedMessage) => void;
  /** Forgets the eldest. `count`: at least one, and no more than there are. */
  readonly drop: (count: number) => void;
  /** How many events lie at or before `position`. */
  readonly countTo: (position: Position) => number;
  /** Whether this very place was given by the log. */
  readonly knows: (position: Position) => boolean;
  /** The first matching events behind `after`, and up to where everything was given or does not match. */
  readonly take: (
    after: Position,
    matches: (event: RecordedEvent) => boolean,
    limit: number,
  ) => { readonly events: readonly RecordedEvent[]; readonly position: Position };
}

export const openWindow = (after: Position): LogWindow => {
  let events: RecordedEvent[] = [];
  let [start, upTo] = [after, after];
  const countTo = (position: Position): number => firstBehind(events, position);
  return {
    start: () => start,
    upTo: () => upTo,
    length: () => events.length,
    add: (message) => {
      if (message.kind === 'events') events.push(...message.events);
      if (message.position > upTo) upTo = message.position;
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

/** Binary search: positions grow along the log. */
const firstBehind = (events: readonly RecordedEvent[], position: Position): number => {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle]!.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
};
