import { matchesFilter } from '../../application/ports/event-checks.ts';
import type {
  EventFeed,
  EventFilter,
  FeedMessage,
  Position,
  RecordedEvent,
} from '../../application/ports/event-store.ts';
import {
  type Cursor,
  type SharedLogReader,
  openSharedReader,
  type SharedReaderOptions,
} from './shared-log-reader.ts';

type Follow = EventFeed['follow'];

export interface SharedFeedOptions extends SharedReaderOptions {
  /** Read for all; absent: everything. A follower of other categories reads by itself. */
  readonly categories?: readonly string[];
}

/** Events that one read fetches for all: each follower then finds enough of its own among them. */
const PAGE = 2_000;

/**
 * A feed whose followers read the log together: cursors at the same position are served from one read, each by its own
 * filter and at its own pace. A follower that is too far behind reads by itself until it has reached the others. Keeps
 * every promise of `EventFeed`; all but `follow` is that of `feed`.
 */
export const shareFeed = <Feed extends EventFeed>(feed: Feed, options: SharedFeedOptions = {}): Feed => {
  const { categories } = options;
  const shared: EventFilter = categories === undefined ? {} : { categories };
  const read = (after: Position, signal: AbortSignal) =>
    feed.follow(after, shared, { signal, batchSize: PAGE });
  const segments = createSegments((after) => openSharedReader(read, after, options));
  const follow: Follow = (after, filter, given) =>
    isWithin(filter, categories)
      ? followTogether({ feed, segments }, after, filter, given)
      : feed.follow(after, filter, given);
  return { ...feed, follow };
};

const isWithin = (filter: EventFilter, shared: readonly string[] | undefined): boolean =>
  shared === undefined || (filter.categories?.every((category) => shared.includes(category)) ?? false);

/** The segments of a log that are being read: one where all cursors are near each other. */
const createSegments = (open: (after: Position) => SharedLogReader) => {
  const all = new Set<SharedLogReader>();
  const leave = (segment: SharedLogReader | null, cursor: Cursor): void => {
    if (segment?.leave(cursor) === true) all.delete(segment);
  };
  return {
    /**
     * Moves the cursor to the segment that goes furthest of those that hold its position; of equals to the oldest: so
     * they become one. `knows`: the caller gave the position, and it may be none.
     */
    assign: (from: SharedLogReader | null, cursor: Cursor, fits: 'knows' | 'covers'): SharedLogReader => {
      const fitting = [...all].filter((segment) => segment[fits](cursor.position));
      const best = fitting.reduce<SharedLogReader | null>(
        (one, other) => (one === null || other.upTo() > one.upTo() ? other : one),
        null,
      );
      const to = best ?? open(cursor.position);
      if (from === to) return to;
      all.add(to);
      to.enter(cursor);
      leave(from, cursor);
      return to;
    },
    leave,
  };
};

async function* followTogether(
  { feed, segments }: { readonly feed: EventFeed; readonly segments: ReturnType<typeof createSegments> },
  after: Position,
  filter: EventFilter,
  { signal, batchSize = 500 }: Parameters<Follow>[2],
): AsyncGenerator<FeedMessage, void, undefined> {
  if (signal.aborted) return;
  const cursor = { position: after };
  const matches = (event: RecordedEvent): boolean => matchesFilter(filter, event);
  // A position that no segment knows is checked by the store, as a read begins there.
  let segment = segments.assign(null, cursor, 'knows');
  /** The end of the log when this follower asked: `caughtUp` may have been sent to others before it came. */
  let end: Position | null = null;
  let isStarted = false;
  try {
    while (!signal.aborted) {
      if (cursor.position < segment.upTo()) {
        const { events, position } = segment.take(cursor.position, matches, batchSize);
        cursor.position = position;
        isStarted = false;
        segment.advanced();
        yield* messagesOf(events, position);
      } else if (segment.isCaughtUp() && !isStarted && end !== null && end <= cursor.position) {
        isStarted = true;
        yield { kind: 'caughtUp', position: cursor.position };
      } else if (segment.isCaughtUp() && end === null) {
        end = await endOf(feed, cursor.position, signal);
      } else if (!(await unlessAborted(segment.readOn(), signal))) return;
      segment = segments.assign(segment, cursor, 'covers');
    }
  } finally {
    segments.leave(segment, cursor);
  }
}

function* messagesOf(events: readonly RecordedEvent[], position: Position): Generator<FeedMessage> {
  const [first, ...rest] = events;
  if (first !== undefined) yield { kind: 'events', events: [first, ...rest], position };
  if (position !== events.at(-1)?.position) yield { kind: 'checkpoint', position };
}

/** Waits for an unavailable store, as `follow` does. */
const endOf = async (feed: EventFeed, after: Position, signal: AbortSignal): Promise<Position> => {
  for await (const message of feed.follow(after, { categories: [] }, { signal }))
    if (message.kind === 'caughtUp') return message.position;
  return after;
};

/** The result of `work`; false when the signal aborts before. */
const unlessAborted = (work: Promise<boolean>, signal: AbortSignal): Promise<boolean> => {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const leave = (): void => resolve(false);
  signal.addEventListener('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', leave));
};
