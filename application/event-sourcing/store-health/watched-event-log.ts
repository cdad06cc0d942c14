import {
  type EventFeed,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
  type Position,
} from '../../ports/event-store.ts';
import { EventLogChanged } from './compare-log.ts';
import type { CreateRefusal, StoreWatch } from './store-watch.ts';

type Watch = Pick<StoreWatch, 'guard' | 'ensureSameLog' | 'logChangedSignal'>;

const unreadable: CreateRefusal = (reason) =>
  reason instanceof EventStoreUnavailable
    ? reason
    : new EventStoreUnavailable(reason.message, { cause: reason });
const unwritten: CreateRefusal = (reason, begun) =>
  begun && !(reason instanceof EventLogChanged)
    ? new OutcomeUnknown(`the event store became unavailable before it answered: ${reason.message}`, {
        cause: reason,
      })
    : unreadable(reason, begun);

/** An event store that fails at once while the store is unavailable: see `StoreWatch.guard`. */
export const watchedEventStore = (
  store: EventStore,
  { guard }: Watch,
  /** Called after each acknowledged append. */
  appended: (position: Position) => void = () => {},
): EventStore => ({
  append: async (...call) => {
    const result = await guard(() => store.append(...call), unwritten);
    appended(result.position);
    return result;
  },
  readStream: (...call) => guard(() => store.readStream(...call), unreadable),
});

/**
 * A feed of the known log. Followers wait during an outage, as the port requires, and end with EventLogChanged when the
 * log is another one: they never yield its events.
 */
export const watchedEventFeed = <Feed extends EventFeed>(
  feed: Feed,
  { guard, ensureSameLog, logChangedSignal }: Watch,
): Feed => ({
  ...feed,
  head: () => guard(() => feed.head(), unreadable),
  read: (...call: Parameters<EventFeed['read']>) => guard(() => feed.read(...call), unreadable),
  readBack: (...call: Parameters<EventFeed['readBack']>) => guard(() => feed.readBack(...call), unreadable),
  holds: (position: Position) => guard(() => feed.holds(position), unreadable),
  follow: async function* followed(...[after, filter, options]: Parameters<EventFeed['follow']>) {
    await ensureSameLog();
    const signal = AbortSignal.any([options.signal, logChangedSignal()]);
    for await (const message of feed.follow(after, filter, { ...options, signal })) {
      await ensureSameLog();
      yield message;
    }
    if (!options.signal.aborted) await ensureSameLog();
  },
});
