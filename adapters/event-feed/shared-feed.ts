import { matchesFilter } from '../../application/ports/event-checks.ts';
import type {
  EventFeed,
  EventFilter,
  FeedMessage,
  Position,
  RecordedEvent,
} from '../../application/ports/event-store.ts';
import { openStretch, type Reader, type Stretch, type StretchOptions } from './stretch.ts';

type Follow = EventFeed['follow'];

export interface SharedFeedOptions extends StretchOptions {
  /** What is read for all; absent: everything. Who asks for others reads for himself. */
  readonly categories?: readonly string[];
}

/** Events that one reading fetches for all: each follower then finds enough of its own among them. */
const PAGE = 2_000;

/**
 * A feed whose followers read the log together: those who stand at the same place are given what one reading found, each
 * by its own filter and at its own pace. Who is too far behind reads for himself, until he comes to where others are.
 * Keeps every promise of `EventFeed`; what is not followed goes to `feed`.
 */
export const shareFeed = <Feed extends EventFeed>(feed: Feed, options: SharedFeedOptions = {}): Feed => {
  const { categories } = options;
  const shared: EventFilter = categories === undefined ? {} : { categories };
  const read = (after: Position, signal: AbortSignal) =>
    feed.follow(after, shared, { signal, batchSize: PAGE });
  const stretches = createStretches((after) => openStretch(read, after, options));
  const follow: Follow = (after, filter, given) =>
    isWithin(filter, categories)
      ? followTogether({ feed, stretches }, after, filter, given)
      : feed.follow(after, filter, given);
  return { ...feed, follow };
};

const isWithin = (filter: EventFilter, shared: readonly string[] | undefined): boolean =>
  shared === undefined || (filter.categories?.every((category) => shared.includes(category)) ?? false);

/** The stretches of a log that are being read: one where all readers are near each other. */
const createStretches = (open: (after: Position) => Stretch) => {
  const all = new Set<Stretch>();
  const leave = (stretch: Stretch | null, reader: Reader): void => {
    if (stretch?.leave(reader) === true) all.delete(stretch);
  };
  const enter = (from: Stretch | null, reader: Reader, to: Stretch): Stretch => {
    if (from === to) return to;
    all.add(to);
    to.enter(reader);
    leave(from, reader);
    return to;
  };
  return {
    /** To the one that goes furthest of those that have what the reader needs; of such the eldest: so they become one. */
    move: (from: Stretch | null, reader: Reader, fits: 'knows' | 'spans'): Stretch => {
      const fitting = [...all].filter((stretch) => stretch[fits](reader.position));
      const best = fitting.reduce<Stretch | null>(
        (one, other) => (one === null || other.upTo() > one.upTo() ? other : one),
        null,
      );
      return enter(from, reader, best ?? open(reader.position));
    },
    leave,
  };
};

interface Shared {
  readonly feed: EventFeed;
  readonly stretches: ReturnType<typeof createStretches>;
}

async function* followTogether(
  { feed, stretches }: Shared,
  after: Position,
  filter: EventFilter,
  { signal, batchSize = 500 }: Parameters<Follow>[2],
): AsyncGenerator<FeedMessage, void, undefined> {
  if (signal.aborted) return;
  const reader = { position: after };
  const matches = (event: RecordedEvent): boolean => matchesFilter(filter, event);
  // A place that a caller gives may be none: then the store is asked, by beginning to read there.
  let stretch = stretches.move(null, reader, 'knows');
  /** Where the log ended when this reader asked: others were told before he came that they had caught up. */
  let end: Position | null = null;
  let isTold = false;
  try {
    while (!signal.aborted) {
      if (reader.position < stretch.upTo()) {
        const { events, position } = stretch.take(reader.position, matches, batchSize);
        reader.position = position;
        isTold = false;
        stretch.moved();
        yield* messagesOf(events, position);
      } else if (stretch.isCaughtUp() && !isTold && end !== null && end <= reader.position) {
        isTold = true;
        yield { kind: 'caughtUp', position: reader.position };
      } else if (stretch.isCaughtUp() && end === null) {
        end = await endOf(feed, reader.position, signal);
      } else if (!(await unlessAborted(stretch.readOn(), signal))) return;
      stretch = stretches.move(stretch, reader, 'spans');
    }
  } finally {
    stretches.leave(stretch, reader);
  }
}

function* messagesOf(events: readonly RecordedEvent[], position: Position): Generator<FeedMessage> {
  const [first, ...rest] = events;
  if (first !== undefined) yield { kind: 'events', events: [first, ...rest], position };
  if (position !== events.at(-1)?.position) yield { kind: 'checkpoint', position };
}

/** As patient with a store that is away as following is. */
const endOf = async (feed: EventFeed, after: Position, signal: AbortSignal): Promise<Position> => {
  for await (const message of feed.follow(after, { categories: [] }, { signal }))
    if (message.kind === 'caughtUp') return message.position;
  return after;
};

/** What `work` resolves to; false when the signal aborts before. */
const unlessAborted = (work: Promise<boolean>, signal: AbortSignal): Promise<boolean> => {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const leave = (): void => resolve(false);
  signal.addEventListener('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', leave));
};
