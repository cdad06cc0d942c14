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
  /** Categories of the shared read; undefined means all. A follower of other categories reads separately. */
  readonly categories?: readonly string[];
}

/** Events per shared read: large enough that each follower finds enough matching events in it. */
const PAGE = 2_000;

/**
 * A feed whose followers share their reads of the log: cursors at the same position use one read, each with
 * its own filter and at its own pace. A follower that lags too far behind reads separately until it has
 * caught up with the others. Keeps every promise of `EventFeed`; all methods except `follow` are those of
 * `feed`.
 */
export const shareFeed = <Feed extends EventFeed>(feed: Feed, options: SharedFeedOptions = {}): Feed => {
  const { categories } = options;
  const shared: EventFilter = categories === undefined ? {} : { categories };
  const read = (after: Position, signal: AbortSignal) =>
    feed.follow(after, shared, { signal, batchSize: PAGE });
  const readers = createReaders((after) => openSharedReader(read, after, options));
  const follow: Follow = (after, filter, given) =>
    isWithin(filter, categories)
      ? followTogether({ feed, readers }, after, filter, given)
      : feed.follow(after, filter, given);
  return { ...feed, follow };
};

const isWithin = (filter: EventFilter, shared: readonly string[] | undefined): boolean =>
  shared === undefined || (filter.categories?.every((category) => shared.includes(category)) ?? false);

/** The open readers of a log. Cursors that are near each other share one. */
const createReaders = (open: (after: Position) => SharedLogReader) => {
  const all = new Set<SharedLogReader>();
  const removeCursor = (reader: SharedLogReader | null, cursor: Cursor): void => {
    if (reader?.removeCursor(cursor) === true) all.delete(reader);
  };
  return {
    /**
     * Moves the cursor to the reader that is furthest ahead of those that hold its position, and among equals
     * to the oldest, so that readers merge. Use `isReturnedPosition` for a position from a caller: it may not belong to this
     * log, so only a reader that returned it may serve it.
     */
    assign: (
      from: SharedLogReader | null,
      cursor: Cursor,
      fits: 'isReturnedPosition' | 'covers',
    ): SharedLogReader => {
      const fitting = [...all].filter((reader) => reader[fits](cursor.position));
      const best = fitting.reduce<SharedLogReader | null>(
        (one, other) => (one === null || other.upTo() > one.upTo() ? other : one),
        null,
      );
      const to = best ?? open(cursor.position);
      if (from === to) return to;
      all.add(to);
      to.addCursor(cursor);
      removeCursor(from, cursor);
      return to;
    },
    removeCursor,
  };
};

async function* followTogether(
  { feed, readers }: { readonly feed: EventFeed; readonly readers: ReturnType<typeof createReaders> },
  after: Position,
  filter: EventFilter,
  { signal, batchSize = 500 }: Parameters<Follow>[2],
): AsyncGenerator<FeedMessage, void, undefined> {
  if (signal.aborted) return;
  const cursor = { position: after };
  const matches = (event: RecordedEvent): boolean => matchesFilter(filter, event);
  // The store checks a position that no reader knows, because a read starts there.
  let reader = readers.assign(null, cursor, 'isReturnedPosition');
  /**
   * The end of the log, asked after this follower came; null before. The reader may have caught up earlier than
   * that, so its state alone does not show that this follower has.
   */
  let end: Position | null = null;
  let hasSentCaughtUp = false;
  try {
    while (!signal.aborted) {
      if (cursor.position < reader.upTo()) {
        const { events, position } = reader.read(cursor.position, matches, batchSize);
        cursor.position = position;
        hasSentCaughtUp = false;
        reader.notifyAdvanced();
        yield* messagesOf(events, position);
      } else if (reader.isCaughtUp() && !hasSentCaughtUp && end !== null && end <= cursor.position) {
        hasSentCaughtUp = true;
        yield { kind: 'caughtUp', position: cursor.position };
      } else if (reader.isCaughtUp() && end === null) {
        end = await endOf(feed, cursor.position, signal);
      } else if (!(await unlessAborted(reader.readNext(), signal))) return;
      reader = readers.assign(reader, cursor, 'covers');
    }
  } finally {
    readers.removeCursor(reader, cursor);
  }
}

function* messagesOf(events: readonly RecordedEvent[], position: Position): Generator<FeedMessage> {
  const [first, ...rest] = events;
  if (first !== undefined) yield { kind: 'events', events: [first, ...rest], position };
  if (position !== events.at(-1)?.position) yield { kind: 'checkpoint', position };
}

/** Waits while the store is unavailable, as `follow` does. */
const endOf = async (feed: EventFeed, after: Position, signal: AbortSignal): Promise<Position> => {
  for await (const message of feed.follow(after, { categories: [] }, { signal }))
    if (message.kind === 'caughtUp') return message.position;
  return after;
};

/** Returns the result of `work`, or false if the signal aborts first. */
const unlessAborted = (work: Promise<boolean>, signal: AbortSignal): Promise<boolean> => {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const leave = (): void => resolve(false);
  signal.addEventListener('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', leave));
};
