import { type Caller, mustBeUnrestricted } from '../caller.ts';
import type { EventFeed, EventFilter, FeedMessage, Position, RecordedEvent } from '../ports/event-store.ts';
import { disclosed } from './disclosed.ts';

/** What an analyst may ask the log for. Times: Unix milliseconds, `from` inclusive, `to` exclusive. */
export type AuditFilter = Omit<EventFilter, 'tenant'>;

/** The log of a tenant, in its one order, for replay and for following; see `disclosed` for what it leaves out. */
export const createAuditOperations = ({ feed }: { readonly feed: EventFeed }) => {
  const own = (caller: Caller, filter: AuditFilter): EventFilter => {
    mustBeUnrestricted(caller, 'reading the event log');
    return { ...filter, tenant: caller.tenant };
  };
  return {
    /** One page after `after` (exclusive), and the position from which to go on. */
    page: async (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      limit: number,
    ): Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }> => {
      const { events, position } = await feed.read(after, own(caller, filter), limit);
      return { events: events.map(disclosed), position };
    },

    /** Everything that is in the log now, after `after`. Ends by itself. */
    replay: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<RecordedEvent> => replayed(feed, own(caller, filter), after, signal),

    /** Everything after `after`, then what comes, until `signal` aborts. */
    follow: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<FeedMessage> => followed(feed.follow(after, own(caller, filter), { signal })),
  };
};
export type AuditOperations = ReturnType<typeof createAuditOperations>;

async function* replayed(
  feed: EventFeed,
  filter: EventFilter,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent> {
  for await (const message of feed.follow(after, filter, { signal })) {
    if (message.kind === 'caughtUp') return;
    if (message.kind === 'events') yield* message.events.map(disclosed);
  }
}

async function* followed(messages: AsyncIterable<FeedMessage>): AsyncGenerator<FeedMessage> {
  for await (const message of messages) {
    if (message.kind === 'events') {
      const [first, ...rest] = message.events;
      yield { ...message, events: [disclosed(first), ...rest.map(disclosed)] };
    } else yield message;
  }
}
