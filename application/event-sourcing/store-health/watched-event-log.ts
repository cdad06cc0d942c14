import {
  type EventFeed,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
  type Position,
} from '../../ports/event-store.ts';
import { EventLogChanged } from './compare-log.ts';
import type { Refusal, StoreWatch } from './store-watch.ts';

type Watch = Pick<StoreWatch, 'during' | 'sameLog' | 'logChanged'>;

const unreadable: Refusal = (reason) =>
  reason instanceof EventStoreUnavailable
    ? reason
    : new EventStoreUnavailable(reason.message, { cause: reason });
const unwritten: Refusal = (reason, begun) =>
  begun && !(reason instanceof EventLogChanged)
    ? new OutcomeUnknown(`the event store went away before it answered: ${reason.message}`, { cause: reason })
    : unreadable(reason, begun);

/** An event store that refuses at once what it cannot do: see `StoreWatch.during`. */
export const watchedEventStore = (
  store: EventStore,
  { during }: Watch,
  /** Told of each append that was acknowledged. */
  appended: (position: Position) => void = () => {},
): EventStore => ({
  append: async (...call) => {
    const result = await during(() => store.append(...call), unwritten);
    appended(result.position);
    return result;
  },
  readStream: (...call) => during(() => store.readStream(...call), unreadable),
});

/**
 * A feed of the same log. Followers wait through an outage, as the port has it, and end with EventLogChanged when the
 * log is another one: nothing of that is handed out.
 */
export const watchedEventFeed = <Feed extends EventFeed>(
  feed: Feed,
  { during, sameLog, logChanged }: Watch,
): Feed => ({
  ...feed,
  head: () => during(() => feed.head(), unreadable),
  read: (...call: Parameters<EventFeed['read']>) => during(() => feed.read(...call), unreadable),
  readBack: (...call: Parameters<EventFeed['readBack']>) => during(() => feed.readBack(...call), unreadable),
  holds: (position: Position) => during(() => feed.holds(position), unreadable),
  follow: async function* followed(...[after, filter, options]: Parameters<EventFeed['follow']>) {
    await sameLog();
    const signal = AbortSignal.any([options.signal, logChanged()]);
    for await (const message of feed.follow(after, filter, { ...options, signal })) {
      await sameLog();
      yield message;
    }
    if (!options.signal.aborted) await sameLog();
  },
});
